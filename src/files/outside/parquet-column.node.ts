import type { FileHandle } from "node:fs/promises";
import type { ColumnMetaData, SchemaTree } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { convert, convertWithDictionary, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { decompressPage, readDataPage, readDataPageV2 } from "hyparquet/src/datapage.js";
import { readPlain } from "hyparquet/src/plain.js";
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from "hyparquet/src/schema.js";
import { compressors } from "hyparquet-compressors";

/** The value of a row: of a plain column, or the list of a column of lists. null if there is none. */
export type ColumnValue = string | number | bigint | boolean | ListValue | null;
export type ListValue = Float32Array | readonly unknown[];

type Values = ArrayLike<unknown> & { slice(from: number, to: number): ArrayLike<unknown> };

/** A page header has some dozen bytes, and more with statistics. */
const HEADER_BYTES = 1 << 16;
const PAGE_BYTES_MAX = 1 << 29;
const VALUES_MAX = 1 << 28;

/**
 * Reads one column of one row group, page by page: a row group may be as large as the file. Only plain columns and
 * columns of lists are read.
 */
export class ParquetColumn {
  readonly #file: FileHandle;
  readonly #decoder: Parameters<typeof convert>[1];
  readonly #maxDefinition: number;
  readonly #isList: boolean;
  readonly #isElementOptional: boolean;
  #at: number;
  readonly #end: number;
  #dictionary: ReturnType<typeof readPlain> | undefined;
  /** Rows that are read and not taken. The last one may go on in the next page. */
  #rows: ColumnValue[] = [];
  #taken = 0;

  constructor(file: FileHandle, metadata: ColumnMetaData, schemaPath: SchemaTree[]) {
    this.#file = file;
    const { element } = schemaPath.at(-1)!;
    this.#decoder = {
      ...metadata,
      pathInSchema: metadata.path_in_schema,
      element,
      schemaPath,
      compressors,
      parsers: DEFAULT_PARSERS,
    } as unknown as Parameters<typeof convert>[1];
    this.#maxDefinition = getMaxDefinitionLevel(schemaPath);
    this.#isElementOptional = element.repetition_type === "OPTIONAL";
    const repetition = getMaxRepetitionLevel(schemaPath);
    if (repetition > 1) throw new Error(`the column ${metadata.path_in_schema.join(".")} has lists of lists`);
    this.#isList = repetition === 1;
    this.#at = Number(metadata.dictionary_page_offset || metadata.data_page_offset);
    this.#end = this.#at + Number(metadata.total_compressed_size);
  }

  /** Returns the next row, or undefined if `load` must be called first. */
  take(): ColumnValue | undefined {
    // The last row of a page goes on in the next one, unless there is none.
    const complete = this.#at >= this.#end || !this.#isList ? this.#rows.length : this.#rows.length - 1;
    if (this.#taken >= complete) return undefined;
    const value = this.#rows[this.#taken]!;
    this.#rows[this.#taken++] = null;
    return value;
  }

  /** Reads the next page. */
  async load(): Promise<void> {
    if (this.#at >= this.#end) throw new Error("a column ends before its rows do");
    const start = await this.#read(this.#at, Math.min(HEADER_BYTES, this.#end - this.#at));
    const reader = { view: viewOf(start), offset: 0 };
    const header = parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: unpacked } = header;
    if (!(packed >= 0 && packed <= PAGE_BYTES_MAX && unpacked >= 0 && unpacked <= PAGE_BYTES_MAX))
      throw new Error(`a page of ${packed} bytes, ${unpacked} unpacked`);
    const from = this.#at + reader.offset;
    if (from + packed > this.#end) throw new Error("a page goes beyond its column");
    const bytes =
      reader.offset + packed <= start.length
        ? start.subarray(reader.offset, reader.offset + packed)
        : await this.#read(from, packed);
    this.#at = from + packed;
    this.#rows = this.#rows.slice(this.#taken);
    this.#taken = 0;
    this.#page(header, bytes);
  }

  #page(header: ReturnType<typeof parquetHeader>, bytes: Uint8Array): void {
    const { codec, type, element } = this.#decoder;
    if (header.type === "DICTIONARY_PAGE") {
      const { num_values: count } = header.dictionary_page_header!;
      checkCount(count);
      const page = decompressPage(bytes, header.uncompressed_page_size, codec, compressors);
      const values = readPlain({ view: viewOf(page), offset: 0 }, type, count, element.type_length);
      this.#dictionary = convert(values, this.#decoder);
    } else if (header.type === "DATA_PAGE") {
      const { num_values: count, encoding } = header.data_page_header!;
      checkCount(count);
      const page = decompressPage(bytes, header.uncompressed_page_size, codec, compressors);
      const data = readDataPage(page, header.data_page_header!, this.#decoder);
      this.#append(data, encoding, count);
    } else if (header.type === "DATA_PAGE_V2") {
      const { num_values: count, encoding } = header.data_page_header_v2!;
      checkCount(count);
      this.#append(readDataPageV2(bytes, header, this.#decoder), encoding, count);
    } // other pages hold no rows
  }

  #append(
    { definitionLevels, repetitionLevels, dataPage }: ReturnType<typeof readDataPage>,
    encoding: Parameters<typeof convertWithDictionary>[2],
    count: number,
  ): void {
    const values = convertWithDictionary(dataPage, this.#dictionary, encoding, this.#decoder) as Values;
    const definitions =
      definitionLevels !== undefined && definitionLevels.length > 0 ? definitionLevels : null;
    if (!this.#isList) {
      for (let i = 0, next = 0; i < count; i++) {
        const isThere = definitions === null || definitions[i] === this.#maxDefinition;
        this.#rows.push(isThere ? (values[next++] as ColumnValue) : null);
      }
      return;
    }
    if (definitions === null) this.#appendFullLists(repetitionLevels, values, count);
    else this.#appendLists(repetitionLevels, definitions, values, count);
  }

  /** Lists without gaps: each row is a part of the page's values. */
  #appendFullLists(repetitions: ArrayLike<number>, values: Values, count: number): void {
    for (let from = 0; from < count; ) {
      let to = from + 1;
      while (to < count && repetitions[to] === 1) to++;
      const part = values.slice(from, to) as ListValue;
      if (from === 0 && repetitions[0] === 1) this.#continue(part);
      else this.#rows.push(part);
      from = to;
    }
  }

  #appendLists(
    repetitions: ArrayLike<number>,
    definitions: ArrayLike<number>,
    values: Values,
    count: number,
  ): void {
    let next = 0;
    let row: unknown[] | null = null;
    const flush = () => {
      if (row !== null) this.#rows.push(row);
      row = null;
    };
    for (let i = 0; i < count; i++) {
      const definition = definitions[i]!;
      const isThere = definition === this.#maxDefinition;
      const isNull = !isThere && this.#isElementOptional && definition === this.#maxDefinition - 1;
      const value = isThere ? values[next++] : null;
      if (repetitions[i] === 1) {
        if (row === null) this.#continue([value]);
        else row.push(value);
        continue;
      }
      flush();
      if (isThere || isNull) row = [value];
      else this.#rows.push(null);
    }
    flush();
  }

  /** Adds to the last row of the page before. */
  #continue(part: ListValue): void {
    const last = this.#rows.at(-1) as ListValue | null | undefined;
    if (last === undefined || last === null) throw new Error("a list goes on that did not begin");
    this.#rows[this.#rows.length - 1] =
      last instanceof Float32Array && part instanceof Float32Array
        ? joined(last, part)
        : [...Array.from(last), ...Array.from(part)];
  }

  async #read(at: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await this.#file.read(bytes, done, length - done, at + done);
      if (bytesRead === 0) throw new Error("the file is cut");
      done += bytesRead;
    }
    return bytes;
  }
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const out = new Float32Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

function checkCount(count: number): void {
  if (!(count >= 0 && count <= VALUES_MAX)) throw new Error(`a page of ${count} values`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
