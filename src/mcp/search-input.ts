/** The arguments of the tool `search`: every parameter of the library's search. */
import { z } from "zod";
import { searchFields } from "../http/index.ts";
import { dbPath, query } from "./arguments.ts";

export const input = z.strictObject({ db_path: dbPath, query, ...searchFields() });
