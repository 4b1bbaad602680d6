import type { SearchAnswer, SearchMode, SearchParameters } from "selfsame/browser";
import type { Session } from "./session.ts";
import { Value } from "./value.ts";

/** What the user searches for. */
export interface Question {
  readonly text: string;
  readonly mode: SearchMode;
  /** A pattern of paths; "" for all. */
  readonly path: string;
  readonly diversify: boolean;
  readonly topK: number;
}

/** The number of results shown at first, and added each time. */
export const STEP = 10;

/** The pause between words that is typical while typing. */
const PAUSE_MS = 160;

const NOTHING: Question = { text: "", mode: "hybrid", path: "", diversify: false, topK: STEP };
/** A reloaded tab repeats its last search. */
const KEY = "selfsame-question";

/** The searches of the page. They start after a pause and run one at a time; the latest question wins. */
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
    // The documents changed, so the answer may have changed.
    session.stats.watch(() => void this.ask());
  }

  /** Changes the question. The search starts when the user pauses. */
  change(part: Partial<Question>): void {
    this.question.set({ ...this.question.current, topK: STEP, ...part });
    remember(this.question.current);
    this.#session.notice.set(null);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), PAUSE_MS);
  }

  /** Searches at once. While a search runs, only the latest question waits. */
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
    // The page has no access to storage, or it is full: the question is not remembered.
  }
}

function remembered(): Partial<Question> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}
