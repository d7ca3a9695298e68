/** Every text of the page in English. Another language is a file of the same shape. */
export const en = {
  panels: {
    title: "Panels",
    panel: (title: string) => `${title} panel`,
    solve: "Solve",
    advice: "Help",
    laboratory: "Laboratory",
    tables: "Tables",
    about: "About",
    close: "Close panel",
  },
  settings: {
    title: "Settings",
    language: "Language",
    colours: "Colours",
    themes: { auto: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" },
    slide: "How fast tiles slide",
    speeds: { slow: "Slow", normal: "Normal", fast: "Fast", instant: "At once" },
    lessMotion: "The system asks for less motion: tiles move at once.",
    boardAndKeys: "Board and keys",
    numbers: "Numbers on the pieces of a picture",
    letters: "Keys W A S D move tiles, U takes back",
  },

  board: {},

  goal: {},

  game: {},

  lists: {},

  solve: {},

  versus: {},

  paper: {},

  play: {},

  advice: {},

  guide: {},

  picture: {},

  laboratory: {},

  tables: {},

  about: {},

  notices: {},

  errors: {},
};

type Texts<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: never[]) => string
      ? T[K]
      : Texts<T[K]>;
};

/** What a language file has: the same keys, and functions that take the same values. */
export type Language = Texts<typeof en>;
