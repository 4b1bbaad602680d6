/** Lets the page work offline if the browser supports it; see service-worker.ts. */
export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    await navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI));
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage("keep the rest");
  } catch (error) {
    // The page still works; only reloading it offline does not.
    console.warn("selfsame: this page will not work offline:", error);
  }
}
