import { type FileHandle, open } from "node:fs/promises";
import {
  type ColumnMetaData,
  type FileMetaData,
  parquetMetadataAsync,
  parquetSchema,
  type SchemaTree,
} from "hyparquet";
import { getTreePath } from "hyparquet/src/schema.js";
import { SelfsameError } from "../../errors/selfsame-error.ts";
import { badFile } from "./bad-file.ts";
import type { PlacedObject } from "./outside-reader.ts";
import { type ColumnValue, ParquetColumn } from "./parquet-column.node.ts";

const METADATA_BYTES_MAX = 256 << 20;

/**
 * Yields the rows of a Parquet file as objects. Columns of lists become lists, and structs objects. Memory is bounded by
 * a page of each column.
 *
 * @throws {SelfsameError} BAD_OUTSIDE_DATA with file and row
 */
export async function* parquetRowsOf(file: string): AsyncGenerator<PlacedObject> {
  const handle = await open(file, "r");
  let row = 0;
  try {
    const metadata = await metadataOf(handle);
    const tree = parquetSchema(metadata);
    for (const group of metadata.row_groups) {
      const columns = group.columns.map(({ meta_data: data, file_path: elsewhere }) => {
        if (data === undefined || elsewhere) throw new Error("a column without data in this file");
        return columnOf(handle, data, tree);
      });
      for (let left = Number(group.num_rows); left > 0; left--) {
        row++;
        const value: Record<string, unknown> = Object.create(null);
        for (const { column, names } of columns) {
          let cell = column.take();
          while (cell === undefined) {
            await column.load();
            cell = column.take();
          }
          setMember(value, names, cell);
        }
        yield { file, at: `row ${row}`, value };
      }
    }
  } catch (cause) {
    if (cause instanceof SelfsameError || (cause as NodeJS.ErrnoException).syscall !== undefined) throw cause;
    throw badFile({ file, at: `after row ${row}` }, "a Parquet file", (cause as Error).message, cause);
  } finally {
    await handle.close();
  }
}

async function metadataOf(handle: FileHandle): Promise<FileMetaData> {
  const { size } = await handle.stat();
  return parquetMetadataAsync({
    byteLength: size,
    async slice(start: number, end = size) {
      const bytes = new Uint8Array(Math.min(Math.max(end - start, 0), METADATA_BYTES_MAX));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
        if (bytesRead === 0) throw new Error("the file is cut");
        done += bytesRead;
      }
      return bytes.buffer;
    },
  });
}

function columnOf(
  handle: FileHandle,
  metadata: ColumnMetaData,
  tree: SchemaTree,
): { column: ParquetColumn; names: readonly string[] } {
  const path = getTreePath(tree, metadata.path_in_schema);
  return { column: new ParquetColumn(handle, metadata, path), names: memberNames(path) };
}

/** Returns the names that lead to a column's values in a row: those of structs, without the levels of a list. */
function memberNames(path: readonly SchemaTree[]): string[] {
  const names: string[] = [];
  for (const { element } of path.slice(1)) {
    if (element.repetition_type === "REPEATED") break; // what is below is the list's own
    names.push(element.name);
  }
  return names;
}

function setMember(value: Record<string, unknown>, names: readonly string[], cell: ColumnValue): void {
  // Objects without a prototype: a column may have any name.
  let target = value;
  for (const name of names.slice(0, -1)) {
    const inner = target[name];
    if (typeof inner === "object" && inner !== null) target = inner as Record<string, unknown>;
    else {
      if (cell === null) return;
      const made: Record<string, unknown> = Object.create(null);
      target[name] = made;
      target = made;
    }
  }
  const last = names.at(-1)!;
  if (Object.hasOwn(target, last) && target[last] !== null) return;
  target[last] = typeof cell === "bigint" ? Number(cell) : cell;
}
