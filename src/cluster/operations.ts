import { SelfsameError } from "../errors/selfsame-error.ts";
import type { Connection } from "./connection.ts";
import { decodeOperation, encodeOperation, OPERATION_BYTES_MAX, type Operation } from "./operation.ts";
import { persistently } from "./persistently.ts";

/** An operation with its place in the stream. */
export interface PlacedOperation {
  readonly sequence: number;
  readonly operation: Operation;
}

const READ_AT_ONCE = 500;
const READ_MS = 5000;

/** Appends an operation to the stream and returns its place. Sent twice, it is stored once. SPEC §29.10 */
export async function appendOperation(
  { streams, names }: Connection,
  operation: Operation,
  signal?: AbortSignal,
): Promise<number> {
  const bytes = encodeOperation(operation);
  if (bytes.length > OPERATION_BYTES_MAX)
    throw new SelfsameError(
      "BAD_ARGUMENT",
      `expected metadata of ${operation.path} that fits into ${OPERATION_BYTES_MAX} bytes, got ${bytes.length}`,
    );
  const msgID = crypto.randomUUID();
  const { seq } = await persistently(() => streams.publish(names.operationSubject, bytes, { msgID }), {
    signal,
  });
  return seq;
}

/** Returns the places of the first and the last operation that the stream has; (1, 0) if it has none. */
export async function operationsThere({
  manager,
  names,
}: Connection): Promise<{ first: number; last: number }> {
  const { state } = await persistently(() => manager.streams.info(names.operations));
  return { first: Math.max(1, state.first_seq), last: state.last_seq };
}

/** Yields the operations from one place to another, both included. */
export async function* readOperations(
  connection: Connection,
  from: number,
  to: number,
  signal?: AbortSignal,
): AsyncGenerator<PlacedOperation> {
  const { streams, names, engine } = connection;
  const { first } = await operationsThere(connection);
  if (first > from && to >= from)
    throw new SelfsameError(
      "BAD_CLUSTER_DATA",
      `expected the operations from ${from} on, got those from ${first} on`,
      "They were deleted from the stream, which needs a retention without limits: ingest the documents again",
    );
  let next = from;
  while (next <= to) {
    const batch = await persistently(
      async () => {
        const consumer = await streams.consumers.get(names.operations, {
          deliver_policy: "by_start_sequence",
          opt_start_seq: next,
        });
        const wanted = Math.min(READ_AT_ONCE, to - next + 1);
        const read: { seq: number; data: Uint8Array }[] = [];
        for await (const { seq, data } of await consumer.fetch({ max_messages: wanted, expires: READ_MS })) {
          read.push({ seq, data });
          if (read.length === wanted) break;
        }
        if (read.length === 0) throw new Error(`no operation from ${next} on within ${READ_MS} ms`);
        return read;
      },
      { signal },
    );
    for (const { seq, data } of batch) {
      if (seq > to) return;
      yield { sequence: seq, operation: decodeOperation(engine, data, seq) };
      next = seq + 1;
    }
  }
}
