import { Command } from "commander";

export const command = new Command("demo")
  .description("index the published corpus and search it")
  .argument("[question]", "", "how are ties broken?")
  .action(async (question: string) => (await import("../demo.ts")).demo(question));
