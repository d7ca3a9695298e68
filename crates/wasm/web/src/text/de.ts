import type { Language } from "./en.ts";

/** Alle Texte der Seite auf Deutsch. */
export const de: Language = {
  panels: {
    title: "Bereiche",
    panel: (title) => `Bereich ${title}`,
    solve: "Lösen",
    advice: "Hilfe",
    laboratory: "Labor",
    tables: "Tabellen",
    about: "Über",
    close: "Fenster schließen",
  },
  settings: {
    title: "Einstellungen",
    language: "Sprache",
    colours: "Farben",
    themes: { auto: "Wie das System", light: "Hell", dark: "Dunkel", contrast: "Hoher Kontrast" },
    slide: "Tempo der Steine",
    speeds: { slow: "Langsam", normal: "Normal", fast: "Schnell", instant: "Sofort" },
    lessMotion: "Das System wünscht weniger Bewegung: Steine springen sofort.",
    boardAndKeys: "Brett und Tasten",
    numbers: "Zahlen auf den Bildteilen",
    letters: "Die Tasten W A S D bewegen Steine, U nimmt zurück",
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
