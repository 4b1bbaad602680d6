import { open } from "selfsame/browser";

const [form, input, button, status, list] = ["form", "input", "button", "[role=status]", "ol"].map(
  (selector) => document.querySelector(selector),
);

// Errors of Selfsame say what was expected, what came instead, and the way out.
const tell = (error) => {
  status.textContent = error.message;
};

// The library works in a Worker, so the page stays free, and is kept in the browser: the next visit embeds nothing anew.
// The model lies beside the page, see vite.config.js.
async function openGarden() {
  const library = await open("garden", {
    modelUrl: import.meta.env.BASE_URL,
    onProgress: ({ bytes, bytesTotal }) => {
      status.textContent = `Downloading the model: ${Math.floor((100 * bytes) / bytesTotal)} %`;
    },
  });
  await library.add([
    { path: "tomatoes.md", text: "# Tomatoes\n\nWater them early, at the root, never on the leaves." },
    {
      path: "roses.md",
      text: "# Roses\n\nCut them back in late winter, just above a bud that looks outward.",
    },
    { path: "compost.md", text: "# Compost\n\nTurn the heap every two weeks. It should smell of forest." },
  ]);
  status.textContent = "Ready.";
  button.disabled = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask(library).catch(tell);
  });
}

async function ask(library) {
  const { results, receipt } = await library.search(input.value, { topK: 2 });
  list.replaceChildren(...results.map(item));
  status.textContent = `Receipt ${receipt.digest}`;
}

function item({ path, content }) {
  const element = document.createElement("li");
  element.textContent = `${path}: ${content.split("\n").at(-1)}`;
  return element;
}

openGarden().catch(tell);
