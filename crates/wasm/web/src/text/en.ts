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

  tables: {
    lead:
      "Tables know the distances of some tiles in advance, so that the search can leave out most " +
      "boards.",
    choose: "Choose another partition",
    load: "Load tables",
    memoryAndStorage: "Memory and storage",
    cancel: "Cancel",
    starting: "Starting the solver",
    stages: {
      build: (table: number, tables: number) => `Building table ${table} of ${tables}`,
      download: (table: number, tables: number) => `Fetching table ${table} of ${tables}`,
      unpack: (table: number, tables: number) => `Unpacking table ${table} of ${tables}`,
      verify: (table: number, tables: number) => `Proving table ${table} of ${tables}`,
    },

    partition: "Partition",
    none: "none",
    other: "Another partition",
    otherExample: "7-8 or 1,2,5,6/3,4,7,8",
    otherHelp:
      "Sizes of the parts, or the tiles of each part with / between parts; several joined by +.",
    build: "Build",

    usual: "default tables",
    tryAgain: "Try again",
    useNone: "Use no tables",
    notBuilt: "Nothing is built yet: it happens when it is needed.",
    buildNow: "Build now",
    manhattan: "No tables: the search estimates by Manhattan distance.",
    manhattanLarge:
      "No tables: the search estimates by Manhattan distance, which suits boards of this size.",
    sum: (bytes: string, tables: number, time: string, origin: string) =>
      `${bytes} in ${tables === 1 ? "one table" : `${tables} tables`}, ready in ${time}` +
      `${origin === "" ? "" : `, from ${origin}`}.`,
    prove: "Prove every entry",
    isProved: "Every entry is proved",
    free: "Forget",

    pattern: (tiles: string) => `Pattern of tiles ${tiles}`,
    entries: (count: string) => `${count} entries`,
    about: (bytes: string, kind: string, largest: number) =>
      `${bytes}, ${kind}, largest value ${largest}`,
    checks: {
      built: "Built here",
      sums: "Loaded, checksums agree",
      proved: "Every entry proved",
    },
    save: (tiles: string) => `Save the table of tiles ${tiles} as a file`,

    inMemory: (bytes: string) => `In memory: ${bytes}`,
    nothing: "Nothing.",
    noTables: "no tables",
    runs: ", runs",
    inUse: "(in use)",
    freeOf: (tables: string, size: string) => `Forget ${tables} of ${size}`,
    kept: (bytes: string) => `Kept in this browser: ${bytes}`,
    nothingKept: "Nothing. Tables loaded from an address are kept here, packed.",
    remove: "Forget",
    removeOf: (file: string) => `Forget ${file}`,
    removeAll: "Forget all",

    files: "Table files",
    chooseFiles: "Choose files",
    filesHelp:
      "Table files (.pdb), packed ones (.pdbz), or a bundle in one file, made by pdb-gen. They " +
      "stay on this machine.",
    address: "Address on this site",
    addressExample: "tables/manifest.json",
    addressHelp:
      "A bundle's manifest.json or single file, on the page's own site: from other sites this " +
      "page fetches nothing. What was fetched is kept for the next visit.",
    loadAddress: "Load",

    ready: "The tables are ready.",
    readyDefault: "Tables by default: ready.",
    readyNone: "No tables: ready.",
    readyPartition: (partition: string) => `Tables ${partition}: ready.`,
    fileCount: (files: number) => `${files} files`,
    loaded: (origin: string) => `${origin}: loaded and checked.`,
    proved: "Every entry is proved.",
    saved: (file: string) => `${file}: saved.`,
    freed: "The tables are forgotten: their memory is free.",
    removed: "Forgotten.",
    cancelled: "Cancelled.",
    noTableFile:
      "There is no table file among these: expected .pdb, .pdbz, or a bundle in one file, as " +
      "pdb-gen makes them",
    tooLarge: (file: string) => `${file} is larger than a page can hold`,
    noAddress: "Write the address of a manifest.json or a single file first",
    badAddress: (address: string) =>
      `"${address}" is no address: expected one such as tables/manifest.json`,
    otherSite: (here: string, there: string) =>
      `This page fetches tables from its own site alone (${here}), and ${there} is another one. ` +
      "Download the bundle and load it from a file, or put it next to the page",
    noStorage:
      "This browser keeps nothing for this page: storage is denied or missing. Tables work all " +
      "the same. To keep them, allow this site to store data.",
    otherBoard: (origin: string, size: string, reason: string) =>
      `${origin} is not for this ${size} board: ${reason}`,
    unchanged: "The tables in use stay as they were.",
  },

  about: {
    lead:
      "A sliding-tile puzzle that you play with numbers or with a picture of your own. It finds " +
      "shortest solutions and proves them, helps with hints, and judges your game. All of it is " +
      "computed on this machine, and it works offline after the first visit.",
    keys: "Keys",
    keyNames: { shift: "Shift", arrow: "arrow", control: "Ctrl", space: "Space", escape: "Esc" },
    arrowKeys: "move a tile that way into the blank",
    letterKeys: "the same (settings turn letters off)",
    lineKeys: "move the whole line",
    undoKeys: "take a move back",
    redoKeys: "make it again",
    playKeys: "play and pause a solution",
    stepKeys: "step back and on in a solution",
    tabKey: "go from the board to the buttons and back",
    escapeKey: "close the panel or the dialog",
    pointer:
      "Or click, tap or drag: a tile beside the blank slides, and a tile further off in its row " +
      "or column takes the whole line along.",
    privacy: "Privacy",
    privacyText:
      "Nothing leaves this machine: no boards, no pictures, no counts of visits. The page loads " +
      "its own files, and others only from addresses that you enter for a picture or for tables. " +
      "Your game, your settings, a picture and loaded tables stay in this browser's storage, " +
      "until you remove them.",
    how: "How it works",
    board: "The board",
    boardText:
      "Half of all boards cannot be solved: a move never changes whether an even or an odd " +
      "number of swaps is left. The strip over the board counts them, and swaps two tiles if you " +
      "like.",
    optimal: "Optimal",
    optimalText:
      "The search tries all ways that may still be the shortest, and no others (IDA*). What it " +
      "leaves out is known to be too long: that is what the tables are for. The answer is proved.",
    databases: "Pattern databases",
    databasesText:
      "A table has the exact number of moves that a few tiles need, from every place where these " +
      "tiles can be. Tables of different tiles add up. Those of the 4x4 board are made here, on " +
      "your machine, in a fraction of a second.",
    strategic: "Strategic",
    strategicText:
      "Tile by tile, row by row, as people do it: at once, on any board, but two or three times " +
      "as long as the shortest solution.",
    anytime: "Anytime",
    anytimeText:
      "A strategic solution at once; then shorter ones, as long as you let it work. The bound " +
      "says how short a solution could be at best.",
    laboratory: "The laboratory",
    laboratoryText:
      "Textbook heuristics and searches on the same boards. Node counts are the same on every " +
      "machine and in every run; times are those of yours.",
    licences: "Licences",
    licencesText:
      "Free software, under the MIT licence or the Apache licence 2.0, as you choose. The " +
      "pictures that come with it are part of it.",
    version: (version: string) => `sliding-tile-pdb version ${version}`,

    shipped: "Everything that is shipped with it",
    loading: "Loading",
    inPage: "In the scripts of the page.",
    inSolver: "In the WebAssembly of the solver.",
    licenceOf: (name: string) => `Licence of ${name}`,
    noLicenceText: "The package has no file with the words of its licence.",
    notLoaded: "The list could not be loaded.",
    tryAgain: "Try again",
  },

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
