// Keeps the page's own files, so that it opens offline. The library keeps the model's files itself, under their
// digests.

/** What the build knows about its files. scripts/web/precache.ts puts it in place of the string. */
interface Precache {
  /** The version. It differs between builds. */
  readonly version: string;
  /** The files that the page needs to start. */
  readonly core: readonly string[];
  /** Vectors, and builds of the engine for other devices. They are fetched when there is time. */
  readonly rest: readonly string[];
}

// The types of this scope are in a library that cannot be used together with the page's.
interface Scope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  addEventListener(type: string, listener: (event: ScopeEvent) => void): void;
}
interface ScopeEvent {
  readonly request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}
const scope = globalThis as unknown as Scope;

const { version, core, rest }: Precache = JSON.parse("__PRECACHE__");
const PREFIX = "selfsame-page-";
const CACHE = `${PREFIX}${version}`;
/** If the network does not answer a navigation in this time, the page counts as offline. */
const PATIENCE_MS = 3000;

scope.addEventListener("install", (event) => {
  // Bypasses the browser's own cache, which may still have an unhashed file of an older build.
  const requests = core.map((path) => new Request(address(path), { cache: "no-cache" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([forgetOlder(), scope.clients.claim()]));
});

/** The page asks for the rest when it is ready itself. */
scope.addEventListener("message", (event) => event.waitUntil(keepRest()));

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(scope.registration.scope)) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (known.has(request.url.split(/[?#]/, 1)[0]!)) event.respondWith(kept(request));
});

const address = (path: string) => new URL(path, scope.registration.scope).href;
const known = new Set([...core, ...rest].map(address));

/** Returns the newest page available: from the network, or else the stored one. */
async function page(request: Request): Promise<Response> {
  const cached = await caches.match(address("index.html"), { cacheName: CACHE });
  if (cached === undefined) return fetch(request);
  try {
    const fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return fresh.ok ? fresh : cached;
  } catch {
    return cached;
  }
}

/** Returns a file of this build, which never changes. */
async function kept(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request, { ignoreSearch: true });
  if (cached !== undefined) return cached;
  const fresh = await fetch(request);
  if (fresh.status === 200) await cache.put(request, fresh.clone()).catch(() => undefined);
  return fresh;
}

async function keepRest(): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const path of rest) {
    if ((await cache.match(address(path))) !== undefined) continue;
    // Without network or space now, it is tried again another time.
    await cache.add(new Request(address(path), { cache: "no-cache" })).catch(() => undefined);
  }
}

async function forgetOlder(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}
