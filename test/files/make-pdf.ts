/** Writes a PDF: each page is a list of [x, y, text], in Helvetica of 12 points. */
export function makePdf(pages: readonly (readonly (readonly [number, number, string])[])[]): Uint8Array {
  const objects: string[] = [];
  const first = 4;
  const kids = pages.map((_, i) => `${first + 2 * i} 0 R`).join(" ");
  objects[1] = "<< /Type /Catalog /Pages 2 0 R >>";
  objects[2] = `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`;
  objects[3] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
  for (const [i, items] of pages.entries()) {
    const shown = items.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm (${text.replace(/[\\()]/g, "\\$&")}) Tj`);
    const content = `BT /F1 12 Tf ${shown.join(" ")} ET`;
    objects[first + 2 * i] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * i + 1} 0 R >>`;
    objects[first + 2 * i + 1] = `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
  }
  let file = "%PDF-1.4\n";
  const offsets: number[] = [];
  for (let i = 1; i < objects.length; i++) {
    offsets.push(file.length);
    file += `${i} 0 obj\n${objects[i]}\nendobj\n`;
  }
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new TextEncoder().encode(file);
}
