import { text } from "../text/text.svelte.ts";

/** While a picture is dragged over the page, shows that it can be dropped. */
export function showDropHint(): void {
  const hint = document.createElement("div");
  hint.textContent = text.picture.drop;
  hint.setAttribute("aria-hidden", "true");
  Object.assign(hint.style, {
    position: "fixed",
    inset: "12px",
    zIndex: "1000",
    display: "grid",
    placeItems: "center",
    border: "3px dashed var(--accent)",
    borderRadius: "var(--radius)",
    background: "color-mix(in srgb, var(--panel) 85%, transparent)",
    color: "var(--ink)",
    fontSize: "1.25rem",
    fontWeight: "600",
    pointerEvents: "none",
  });
  // A popover is visible above dialogs, too.
  if ("popover" in hint) {
    hint.popover = "manual";
    Object.assign(hint.style, { width: "auto", height: "auto", margin: "0", padding: "0" });
  }
  document.body.append(hint);

  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    clearTimeout(timer);
    hint.style.display = "none";
    if (hint.matches(":popover-open")) hint.hidePopover();
  };
  const show = () => {
    // A drag that ends outside the window sends no last event; its events just stop.
    clearTimeout(timer);
    timer = setTimeout(hide, 400);
    if (hint.style.display === "grid" && hint.matches(":popover-open")) return;
    hint.style.display = "grid";
    if ("popover" in hint && !hint.matches(":popover-open")) hint.showPopover();
  };
  window.addEventListener("dragover", (event) => {
    const types = event.dataTransfer?.types ?? [];
    if (types.includes("Files") || types.includes("text/uri-list")) show();
  });
  window.addEventListener("drop", hide);
  show();
}
