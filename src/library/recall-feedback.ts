import { badArgument, optionsArgument, textsArgument } from "../errors/arguments.ts";
import type { RecallRequest } from "../recall/request.ts";
import { type FeedbackLog, feedbackEvent } from "./feedback-log.ts";
import type { Recaller } from "./recaller.ts";

/** What a person thought of a recall. */
export interface RecallFeedback {
  /** The request, or its query text alone. */
  readonly query: string | RecallRequest;
  /** What was right: ids of chunks, or paths. */
  readonly accepted: readonly string[];
  /** What was wrong; default: what stood before the last accepted one. */
  readonly rejected?: readonly string[];
  /** When, in milliseconds since 1970; default: now. */
  readonly at?: number;
}

/** What was kept of it. */
export interface FeedbackReport {
  /** The event's id, in hexadecimal. */
  readonly id: string;
  /** The chunks that count as accepted: those of the answer that were named. */
  readonly accepted: readonly string[];
  /** The chunks that count as rejected. */
  readonly rejected: readonly string[];
}

/** Keeps what a person accepted and rejected of a recall. */
export async function giveFeedback(
  recaller: Recaller,
  log: FeedbackLog,
  feedback: RecallFeedback,
): Promise<FeedbackReport> {
  const given = optionsArgument(feedback, { query: true, accepted: true, rejected: true, at: true });
  const accepted = textsArgument("accepted", given.accepted);
  const rejected = textsArgument("rejected", given.rejected ?? []);
  const at = given.at ?? Date.now();
  if (!Number.isSafeInteger(at)) throw badArgument("at", "whole milliseconds since 1970", at);
  const request = typeof given.query === "string" ? { query_text: given.query } : given.query;
  const { query, results } = await recaller.featuresOf(request);
  const event = feedbackEvent(query, results, accepted, rejected, at);
  const id = log.add(event);
  return { id, accepted: event.accepted, rejected: event.rejected };
}
