/** A message above the board. */
export interface Notice {
  text: string;
  kind: "plain" | "bad";
  /** A button of the message. */
  action?: { label: string; run: () => void };
}

class Notices {
  list = $state.raw<Notice[]>([]);

  /** Shows a message; equal messages are shown once. */
  add(notice: Notice): void {
    this.list = [...this.list.filter(({ text }) => text !== notice.text), notice];
  }

  remove(notice: Notice): void {
    this.list = this.list.filter((other) => other !== notice);
  }

  /** Shows a message that disappears after `duration` milliseconds: "Copied". */
  flash(text: string, action?: Notice["action"], duration = 4000): void {
    const notice: Notice = { text, kind: "plain", action };
    this.add(notice);
    setTimeout(() => this.remove(notice), duration);
  }
}

export const notices = new Notices();
