import type { Row, Run } from "./result.ts";
import { resultOf } from "./result.ts";
import type { Engine } from "./rows.ts";

/** A room and the one digest that every run of it must give, with the rows that did. */
export interface RoomDigest {
  readonly room: string;
  readonly cases: number;
  readonly digest: string;
  readonly runs: number;
}

/** Every room that was run, in the order of the walk; the digest is the first row's. */
export function roomDigests(rows: readonly Row[]): RoomDigest[] {
  const rooms = new Map<string, RoomDigest>();
  for (const { rooms: found } of allRuns(rows)) {
    for (const { room, cases, digest } of found) {
      if (digest === null) continue;
      const known = rooms.get(room) ?? { room, cases, digest, runs: 0 };
      rooms.set(room, { ...known, runs: known.runs + 1 });
    }
  }
  return [...rooms.values()];
}

/** All that is wrong, one line each; none if every engine computed the same and nothing is missing that must be there. */
export function faults(engines: readonly Engine[], rows: readonly Row[]): string[] {
  const expected = new Map(roomDigests(rows).map(({ room, digest }) => [room, digest]));
  return rows.flatMap((row, i) => faultsOf(engines[i]!, row, expected));
}

function faultsOf(engine: Engine, row: Row, expected: ReadonlyMap<string, string>): string[] {
  if ("failed" in row.outcome) return [`${row.engine}: ${row.outcome.failed}`];
  if ("missing" in row.outcome)
    return engine.isCommon ? [`${row.engine} is missing: ${row.outcome.missing}`] : [];
  return row.outcome.runs.flatMap((run) => {
    const of = `${row.engine}, ${run.build}`;
    const mustRefuse = engine.refuses.includes(run.build);
    if (run.refused !== null) return mustRefuse ? [] : [`${of}: refused: ${run.refused}`];
    if (mustRefuse) return [`${of}: expected the probe to refuse it, got an engine that took it`];
    return run.rooms.flatMap(({ room, digest, mismatch }) => {
      if (digest === null && room in engine.without) return [];
      if (mismatch !== null) return [`${of}, ${room}: ${mismatch}`];
      return digest === expected.get(room)
        ? []
        : [`${of}, ${room}: expected the digest ${expected.get(room)}, got ${digest}`];
    });
  });
}

function allRuns(rows: readonly Row[]): Run[] {
  return rows.flatMap((row) => resultOf(row)?.runs ?? []);
}
