/** Lets the page work with the network off, where the browser can: see service-worker.ts. */
export async function keepOffline(): Promise<void> {
  if (!("serviceWorker" in navigator) || import.meta.env.DEV) return;
  try {
    await navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI));
    const { active } = await navigator.serviceWorker.ready;
    active?.postMessage("keep the rest");
  } catch (error) {
    // The page itself works; only a reload without the network will not.
    console.warn("selfsame: this page will not work offline:", error);
  }
}
