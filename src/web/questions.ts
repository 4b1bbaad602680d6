import type { SearchAnswer, SearchMode, SearchParameters } from "selfsame/browser";
import type { Session } from "./session.ts";
import { Value } from "./value.ts";

/** What a person asks. */
export interface Question {
  readonly text: string;
  readonly mode: SearchMode;
  /** A pattern of paths; "" for all. */
  readonly path: string;
  readonly diversify: boolean;
  readonly topK: number;
}

/** How many results at first, and how many more at a time. */
export const STEP = 10;

/** A person who types stops for about this long between words. */
const PAUSE_MS = 160;

const NOTHING: Question = { text: "", mode: "hybrid", path: "", diversify: false, topK: STEP };
/** A tab that is loaded again asks again what it asked. */
const KEY = "selfsame-question";

/** Searches of the page: after a pause, one at a time, the latest question wins. */
export class Questions {
  readonly question = new Value<Question>({ ...NOTHING, ...remembered() });
  readonly answer = new Value<SearchAnswer | null>(null);
  readonly isBusy = new Value(false);
  /** Why there is no answer. */
  readonly failure = new Value<unknown>(null);

  readonly #session: Session;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStale = false;

  constructor(session: Session) {
    this.#session = session;
    // The documents changed, so the answer may.
    session.stats.watch(() => void this.ask());
  }

  /** A change of the question, asked when the person pauses. */
  change(part: Partial<Question>): void {
    this.question.set({ ...this.question.current, topK: STEP, ...part });
    remember(this.question.current);
    this.#session.notice.set(null);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), PAUSE_MS);
  }

  /** Asks at once. While a search runs, the next one waits, and only the latest. */
  async ask(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isStale = true;
    if (this.isBusy.current) return;
    this.isBusy.set(true);
    while (this.#isStale) {
      this.#isStale = false;
      let answer: SearchAnswer | null = null;
      let failure: unknown = null;
      try {
        answer = await this.#search(this.question.current);
      } catch (error) {
        failure = error;
      }
      if (this.#isStale) continue;
      this.failure.set(failure);
      this.answer.set(answer);
    }
    this.isBusy.set(false);
  }

  async #search(question: Question): Promise<SearchAnswer | null> {
    const isEmpty = (this.#session.stats.current?.documents ?? 0) === 0;
    if (question.text.trim() === "" || isEmpty) return null;
    return this.#session.use((library) => library.search(question.text, parametersOf(question)));
  }
}

function parametersOf({ mode, path, diversify, topK }: Question): SearchParameters {
  return {
    mode,
    topK,
    explain: true,
    ...(diversify ? { diversify } : {}),
    ...(path.trim() === "" ? {} : { filters: { path: [path.trim()] } }),
  };
}

function remember(question: Question): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(question));
  } catch {
    // Storage is closed to the page, or full: the question is forgotten.
  }
}

function remembered(): Partial<Question> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
