import { Command } from "commander";

export const command = new Command("demo")
  .argument("[question]", "", "how are ties broken?")
  .action(async (question: string) => {
    const { demo, demoRecall } = await import("./demo.run.ts");
    await (question === "recall" ? demoRecall() : demo(question));
  });
