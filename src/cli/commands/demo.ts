import { Command } from "commander";

export const command = new Command("demo")
  .description("index this project's own documents and search them")
  .argument("[question]", "", "how are ties broken?")
  .action(async (question: string) => (await import("../demo.ts")).demo(question));
