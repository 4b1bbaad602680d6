import { announce } from "./announce.ts";

const SURE_MS = 4000;

/**
 * Makes a button require two presses, for an action that cannot be undone. The first asks for confirmation in the
 * button itself, the second acts. After a few seconds, or when the focus moves elsewhere, the question is withdrawn.
 *
 * @param show draws the button, normally or while it asks
 * @param question what a screen reader announces
 */
export function askTwice(
  button: HTMLButtonElement,
  question: string,
  show: (isAsking: boolean) => void,
  act: () => void,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (isAsking: boolean) => {
    clearTimeout(timer);
    timer = isAsking ? setTimeout(() => ask(false), SURE_MS) : undefined;
    button.classList.toggle("danger", isAsking);
    show(isAsking);
  };
  button.addEventListener("blur", () => ask(false));
  button.addEventListener("click", () => {
    const isSure = timer !== undefined;
    ask(!isSure);
    if (isSure) act();
    else announce(question);
  });
  ask(false);
}
