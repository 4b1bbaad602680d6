import { element } from "./element.ts";
import type { Session } from "./session.ts";

/** Shows what the page is waiting for, if anything: the library, the model's download, the network. */
export function modelStatus(session: Session): HTMLElement {
  const status = element("span", { class: "model-status", role: "status" });
  const show = () => {
    const { phase, download } = session;
    const isOffline = !navigator.onLine;
    status.classList.toggle("loading", phase.current.kind === "opening" || download.current !== null);
    if (download.current !== null) {
      const { bytes, bytesTotal } = download.current;
      status.textContent = `Model ${Math.floor((100 * bytes) / bytesTotal)} % of ${Math.round(bytesTotal / 1e6)} MB`;
    } else if (phase.current.kind === "opening") status.textContent = "Opening…";
    else status.textContent = isOffline ? "Offline" : "";
  };
  session.phase.watch(show);
  session.download.watch(show);
  addEventListener("online", show);
  addEventListener("offline", show);
  return status;
}
