import { Value } from "./value.ts";

export type ViewName = "library" | "ranking" | "recall" | "device" | "conformance" | "document";

/** The visible view. */
export const currentView = new Value<ViewName>("library");

/**
 * Watches a value for a view, and draws it only while that view is visible: a search need not draw what nobody sees.
 */
export function watchFor<T>(view: ViewName, value: Value<T>, draw: (value: T) => void): void {
  let isStale = true;
  const drawIfSeen = () => {
    if (!isStale || currentView.current !== view) return;
    isStale = false;
    draw(value.current);
  };
  value.watch(() => {
    isStale = true;
    drawIfSeen();
  });
  currentView.watch(drawIfSeen);
}
