import { element } from "./element.ts";
import { icon } from "./icons.ts";

/** The part of the browser's code reader that is used here. Only some browsers have one. */
interface CodeReader {
  detect(source: HTMLVideoElement): Promise<readonly { readonly rawValue: string }[]>;
}

/** How often the picture is looked at. */
const EVERY_MS = 250;

function reader(): CodeReader | null {
  const { BarcodeDetector } = globalThis as {
    BarcodeDetector?: new (options: { formats: string[] }) => CodeReader;
  };
  return BarcodeDetector === undefined || navigator.mediaDevices === undefined
    ? null
    : new BarcodeDetector({ formats: ["qr_code"] });
}

/**
 * Returns a button that reads a QR code with the camera. It is hidden if the browser cannot: then the phone's own camera
 * opens the address in the code.
 *
 * @param onCode called with what the code says
 */
export function scanButton(onCode: (text: string) => void, onFailure: (error: unknown) => void): HTMLElement {
  const codes = reader();
  const video = element("video", { class: "scan", hidden: true, playsinline: true });
  let stop: (() => void) | null = null;
  const caption = (text: string) => button.replaceChildren(icon("device"), text);
  const end = () => {
    stop?.();
    stop = null;
    video.hidden = true;
    caption("Scan a code");
  };
  const start = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
    video.srcObject = stream;
    video.hidden = false;
    caption("Stop scanning");
    await video.play();
    const timer = setInterval(async () => {
      const [code] = await codes!.detect(video).catch(() => []);
      if (code === undefined || stop === null) return;
      end();
      onCode(code.rawValue);
    }, EVERY_MS);
    stop = () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
    };
  };
  const button = element("button", {
    type: "button",
    class: "button",
    onclick: () => {
      if (stop === null) start().catch(onFailure);
      else end();
    },
  });
  caption("Scan a code");
  return element("div", { class: "scan-line", hidden: codes === null }, button, video);
}
