/** Downloads a text or bytes as a file. */
export function download(name: string, type: string, content: string | Blob): void {
  const isText = typeof content === "string";
  const blob = new Blob([content], { type: isText ? `${type};charset=utf-8` : type });
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the address only after the click event.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
