import { Command } from "commander";

export const command = new Command("demo")
  .argument("[question]", "", "how are ties broken?")
  .action(async (question: string) => (await import("./demo.run.ts")).demo(question));
