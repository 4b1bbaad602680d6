// Derives training settings from the size of the data set.

export interface Settings {
  learningRate: number;
  warmupSteps: number;
  batchSize: number;
}

// The seventh formula: the six before it diverged on sets of under ten thousand rows.
export function calculate_hyper_parameter_v7(rows: number, width: number): Settings {
  const batchSize = rows < 10_000 ? 16 : 64;
  const warmupSteps = Math.ceil(rows / batchSize / 10);
  return { learningRate: 0.3 / Math.sqrt(width * batchSize), warmupSteps, batchSize };
}
