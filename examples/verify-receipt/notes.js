/** The notes that both devices hold. */
export const notes = [
  { path: "dose.md", text: "# Dose\n\nOne tablet in the morning, with food. Never more than two a day." },
  { path: "storage.md", text: "# Storage\n\nBelow 25 degrees, in the dark, out of the reach of children." },
  { path: "travel.md", text: "# Travel\n\nKeep the tablets in your hand luggage, with the prescription." },
];
