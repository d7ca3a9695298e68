import type { Language } from "./en.ts";

const ways = { U: "nach oben", D: "nach unten", L: "nach links", R: "nach rechts" };

const marks = {
  hint: "Hinweis",
  "hint U": "Hinweis: nach oben schieben",
  "hint D": "Hinweis: nach unten schieben",
  "hint L": "Hinweis: nach links schieben",
  "hint R": "Hinweis: nach rechts schieben",
  conflict: "im Konflikt",
  swap: "zu tauschen",
  seen: "von der Heuristik gezählt",
};

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
    close: "Bereich schließen",
  },
  settings: {
    title: "Einstellungen",
    language: "Sprache",
    colours: "Farben",
    themes: { auto: "Wie das System", light: "Hell", dark: "Dunkel", contrast: "Hoher Kontrast" },
    slide: "Tempo der Steine",
    speeds: { slow: "Langsam", normal: "Normal", fast: "Schnell", instant: "Sofort" },
    lessMotion: "Das System verlangt weniger Bewegung: Steine springen sofort an ihren Platz.",
    boardAndKeys: "Brett und Tasten",
    numbers: "Zahlen auf den Bildteilen",
    letters: "Die Tasten W A S D bewegen Steine, U nimmt einen Zug zurück",
  },

  board: {
    region: "Brett",
    name: (size) => `Brett ${size}`,
    arrange: "Zum Tauschen einen Stein auf einen anderen ziehen oder zwei antippen.",
    done: "Fertig",
    keys: "Pfeiltasten schieben einen Stein in die Lücke, mit Umschalt eine ganze Reihe.",
    letterKeys:
      "Pfeiltasten oder W A S D schieben einen Stein in die Lücke, mit Umschalt eine ganze Reihe.",
    moreKeys:
      "Strg+Z nimmt einen Zug zurück. Strg+Pfeil wechselt von Stein zu Stein, Enter schiebt ihn. " +
      "Plus und Minus vergrößern ein Brett mit kleinen Steinen.",
    zoomIn: "Brett vergrößern",
    zoomOut: "Mehr vom Brett zeigen",
    zoomed: (percent) => `Auf ${percent} % vergrößert`,
    moves: (count) => (count === 1 ? "Zug" : "Züge"),
    undo: "Zurücknehmen",
    undoKey: "Zurücknehmen (U)",
    redo: "Wiederholen",
    redoKey: "Wiederholen (Strg+Y)",
    hint: "Tipp",
    solve: "Lösen",
    notSolvable: "Nicht lösbar.",
    reason: (isOdd, blankMoves) =>
      `Das Ziel ist eine ${isOdd ? "ungerade" : "gerade"} Zahl von Vertauschungen entfernt, die ` +
      `Lücke aber ${blankMoves} ${blankMoves === 1 ? "Zug" : "Züge"}: Beide Zahlen müssen gerade ` +
      "oder beide ungerade sein.",
    reachable: (goals) => `Erreichbare Ziele: ${goals}.`,
    swap: (one, other) => `${one} und ${other} tauschen`,
    newBoard: "Neues Brett",
    isGoal: "Das ist das Ziel. Mischen, um zu beginnen.",
    solvable: "Lösbar",
    notJudged: "Noch nicht bekannt, ob es lösbar ist: Der Löser ist nicht geladen.",
  },

  element: {
    role: "Brett",
    board: (columns, rows) => `Brett ${columns}x${rows}`,
    withBlank: (name, place) => `${name}, Lücke in ${place}`,
    place: (row, column) => `Zeile ${row} Spalte ${column}`,
    tile: (number) => (number ? `Stein ${number}` : "Lücke"),
    canMove: (way) => `kann ${ways[way]}`,
    mark: (mark) => marks[mark],
    keys:
      "Pfeiltasten schieben einen Stein in die Lücke, mit Umschalt eine ganze Reihe. " +
      "Strg und Pfeil wechseln von Stein zu Stein, Enter schiebt den Stein.",
    moved: (tile, count, way, blank) =>
      `${tile === undefined ? `${count} Steine` : `Stein ${tile}`} ${ways[way]}, Lücke ${blank}`,
    solved: (moves) => `Gelöst in ${moves} ${moves === 1 ? "Zug" : "Zügen"}`,
    chosen: (tile) => `${tile} gewählt; zum Tauschen einen zweiten wählen`,
    swapped: (one, other) => `${one} und ${other} getauscht`,
    controls: "Wiedergabe",
    play: "Abspielen",
    pause: "Anhalten",
    stepBack: "Ein Zug zurück",
    stepForward: "Ein Zug vor",
    position: "Position",
    positionOf: (position, length) => `Zug ${position} von ${length}`,
    speed: "Tempo",
    movesPerSecond: (count) => `${count}/s`,
  },

  goal: {
    title: "Das Ziel",
    goal: "Ziel",
    label: (name, rows) => `Ziel: ${name}${rows}`,
    blank: "leer",
    show: "Ziel zeigen",
    back: "Zurück zum Brett",
    backShort: "Zurück",
    change: "Ziel ändern",
    changeShort: "Ändern",
    ownOrder: "Eigene Ordnung",
    presets: {
      "blank-last": "Lücke am Ende",
      "blank-first": "Lücke am Anfang",
      snake: "Schlange",
      spiral: "Spirale",
      columns: "Spaltenweise",
    },
    touch: "Ein Tippen auf das Brett",
    swap: "Tauscht Steine",
    leaveOut: "Wählt das fehlende Stück",
    leaveOutHow: "Das Stück antippen, das fehlen soll: Sein Platz wird die Lücke des Ziels.",
    order: "Ordnung",
    asBoard: "Wie das Brett jetzt",
    missing: "Welches Stück die Lücke ist",
    missingPiece: "Das fehlende Stück",
    cell: (row, column) => `Zeile ${row}, Spalte ${column}`,
    cellNow: (cell, tile) => `${cell} (jetzt ${tile})`,
    reachable: "Das Brett kann dieses Ziel erreichen.",
    unreachable:
      "Das Brett kann dieses Ziel nicht erreichen. Der Knopf über dem Brett tauscht " +
      "zwei Steine.",
    use: "Dieses Ziel nehmen",
    cancel: "Abbrechen",
  },

  game: {
    size: (size) => `Größe: ${size}`,
    columns: "Spalten",
    rows: "Zeilen",
    use: "Übernehmen",
    shuffle: "Mischen",
    shuffleTitle: "Ein zufälliges Brett",
    shuffleKinds: "Arten zu mischen",
    shuffleAny: "Irgendein lösbares Brett",
    shuffleDistance: "Zufällige Züge vom Ziel aus",
    shuffleMoves: "Mit Zügen mischen",
    more: "Mehr",
    enterBoard: "Brett als Text eingeben",
    enterMoves: "Züge eingeben",
    solveList: "Eine Liste von Brettern lösen",
    arrange: "Brett anordnen",
    changeGoal: "Ziel ändern",
    toStart: "Zurück zum Anfang",
    copyBoard: "Brett als Text kopieren",
    copyLink: "Link kopieren",
    link: "Link",
    settings: "Einstellungen",
    boardCopied: "Brett kopiert.",
    linkCopied: "Link kopiert.",

    boardTitle: "Brett eingeben",
    boardField:
      "Zahlen in Leserichtung, 0 für die Lücke: hintereinander, in Zeilen, mit Kommas, " +
      "Klammern oder gezeichnet.",
    boardRead: "Das gelesene Brett",
    boardSize: (size) => `Ein Brett mit ${size} Feldern.`,
    boardPlay: "Dieses Brett spielen",
    boardGoal: "Als Ziel verwenden",
    rulesMissing: 
      "Bretter und Züge können erst gelesen werden, wenn die Regeln geladen sind.",
    boardEmpty: (example) => `Hier ein Brett eingeben oder einfügen, zum Beispiel ${example}.`,
    boardExample: (found, example) => `${found} Ein Brett sieht so aus: ${example}.`,
    boardSizes: (size, smallest, largest) =>
      `Das ist ein Brett mit ${size} Feldern; möglich sind ${smallest}x${smallest} bis ` +
      `${largest}x${largest}.`,

    newBoard: (size) => `Neues Brett, ${size}`,
    replaced: (moves) =>
      `Das Spiel mit ${moves} ${moves === 1 ? "Zug" : "Zügen"} wurde durch ein neues ersetzt.`,
    takeBack: "Zurückholen",
    restored: (size, moves) =>
      `Das Spiel ${size} mit ${moves} ${moves === 1 ? "Zug" : "Zügen"} ist zurück`,
    boardStays: "Das Brett bleibt, wie es war.",
    otherBoard: "Stattdessen ist ein anderes Brett zu sehen.",
    noWasm:
      "Dieser Browser hat kein WebAssembly, das der Löser braucht. Spielen geht trotzdem. " +
      "Abhilfe: ein anderer Browser oder eine andere Sicherheitseinstellung.",
    noSimd:
      "Dieser Browser hat kein WebAssembly mit SIMD, das der Löser braucht: Browser ab 2023 " +
      "haben es. Spielen geht trotzdem.",
    notLoaded: "Der Löser konnte nicht geladen werden. Spielen geht trotzdem.",
    loadAgain: "Noch einmal laden",

    addressNoSize: "In der Adresse fehlt eine Größe wie 4x4 (Spalten x Zeilen).",
    addressBadSize: (size) =>
      `In der Adresse fehlt eine Größe wie 4x4 (Spalten x Zeilen); dort steht „${size}“.`,
    addressSizes: (size, smallest, largest) =>
      `Die Adresse nennt ein Brett mit ${size} Feldern; möglich sind ${smallest}x${smallest} bis ` +
      `${largest}x${largest}.`,
    addressBoard: (size, last, found) =>
      `Das Brett in der Adresse ist beschädigt: ${size} hat die Zahlen von 0 bis ${last}, jede ` +
      `einmal; ${found}`,
    addressGoal: (size, last, found) =>
      `Das Ziel in der Adresse ist beschädigt: ${size} hat die Zahlen von 0 bis ${last}, jede ` +
      `einmal; ${found}`,
    numberForeign: (word) => `„${word}“ gehört nicht dazu.`,
    numberTwice: (word) => `${word} steht zweimal da.`,
    numbersFew: (count) => `es sind ${count}.`,

    movesTitle: "Züge eingeben",
    movesField:
      "Buchstaben U, D, L, R mit oder ohne Anzahl, etwa U2RD (U auf, D ab, L links, R rechts), " +
      "oder die Zahlen der Steine.",
    movesLetters: "Buchstaben sind Richtungen",
    movesAuto: "des Steins oder der Lücke",
    movesTile: "des Steins",
    movesBlank: "der Lücke",
    movesEmpty: "Die Züge werden beim Eintippen auf dem Brett geprüft.",
    movesSolve: (moves) =>
      moves === 1 ? "1 Zug, der das Brett löst." : `${moves} Züge, die das Brett lösen.`,
    movesEnd: (moves) =>
      moves === 1
        ? "1 Zug. Danach ist das Brett nicht gelöst."
        : `${moves} Züge. Danach ist das Brett nicht gelöst.`,
    movesAsTile: "Buchstaben sind Richtungen des Steins.",
    movesAsBlank: "Buchstaben sind Richtungen der Lücke.",
    movesFromStart: "Auf dem Brett, mit dem das Spiel begann, sind sie möglich.",
    movesGoStart: "Zum Anfang des Spiels",
    movesAfter: "Das Brett nach diesen Zügen",
    movesBefore: "Das Brett vor dem Zug, der nicht möglich ist",
    movesShow: "Stelle zeigen",
    movesPlay: "Abspielen",
    movesStep: "Schritt für Schritt",
    moveUnknown: (number, sign) =>
      `Zug ${number}: „${sign}“ ist kein Zug. Möglich sind U, D, L und R, auch mit Anzahl wie ` +
      "U2, oder die Zahlen der Steine.",
    moveEdge: (number, sign, side, place) =>
      `Zug ${number}, „${sign}“, ist nicht möglich: Die Lücke ist in ${place}, und ` +
      `${{ U: "darunter", D: "darüber", L: "rechts davon", R: "links davon" }[side]} ist kein ` +
      "Stein.",
    moveApart: (number, tile, place, blank) =>
      `Zug ${number} ist nicht möglich: Stein ${tile} ist in ${place}, nicht neben der ` +
      `Lücke in ${blank}.`,
    moveAbsent: (number, tile, size) =>
      `Zug ${number} ist nicht möglich: Ein Brett mit ${size} Feldern hat keinen Stein ${tile}.`,
    moveCount: (number) => `Zug ${number} hat eine zu große Anzahl.`,
    moveBlank: (number) => `Zug ${number} ist nicht möglich: 0 ist die Lücke, kein Stein.`,
    moveBeside: (tiles) => `Neben der Lücke: ${tiles}.`,

    linkTitle: "Link kopieren",
    linkOf: "Der Link öffnet",
    linkBoard: "das Brett, wie es jetzt ist",
    linkSolution: (moves) => `das Brett mit der Lösung in ${moves} Zügen`,
    linkMoves: (moves) => `das Brett mit den ${moves} eingegebenen Zügen`,
    linkGame: (moves) =>
      `das Spiel bis hierher: das erste Brett und ${moves} ${moves === 1 ? "Zug" : "Züge"}`,
    linkPicture: "Mit dem Bild",
    linkText: "Der Link",
    linkLong: (size) =>
      `Der Link hat ${size}. Manche Programme kürzen Links über 8 kB: besser als Datei senden ` +
      "oder nach dem Senden prüfen.",
    linkCopy: "Kopieren",
    linkHasSolution: (moves) =>
      moves === 1
        ? "Der Link bringt 1 Zug mit, der das Brett löst, zum Abspielen bereit."
        : `Der Link bringt ${moves} Züge mit, die das Brett lösen, zum Abspielen bereit.`,
    linkHasMoves: (moves) =>
      `Der Link bringt ${moves} ${moves === 1 ? "Zug" : "Züge"} für dieses Brett mit, zum ` +
      "Abspielen bereit.",
    linkBadMoves: (found) => `Die Züge im Link können nicht gespielt werden. ${found}`,
    linkCutMoves: (all, found) =>
      `Der Link wurde gekürzt: Er hatte ${all} Züge, ${found} sind übrig.`,
    linkMovesAlone: "Der Link hat Züge, aber kein Brett dazu.",
    linkHasPicture: (name) => `Der Link hat ein Bild: ${name}.`,
    linkBadPicture: "Das Bild im Link hat keine brauchbare Adresse.",
    linkUsePicture: "Verwenden",
  },

  lists: {
    title: "Eine Liste von Brettern lösen",
    field:
      "Ein Brett pro Zeile, in beliebiger Schreibweise; # beginnt einen Kommentar. Bretter aus " +
      "mehreren Zeilen sind durch Leerzeilen getrennt.",
    file: "Datei wählen",
    dropped: "oder eine hier ablegen",
    kind: "Lösungen",
    kinds: {
      optimal: "Kürzeste, bewiesen",
      anytime: "Kurze, in der Zeit",
      strategic: "Sofort, leicht nachzuspielen",
    },
    seconds: "Sekunden pro Brett, höchstens",
    solve: "Alle lösen",
    again: "Liste ändern",
    cancel: "Abbrechen",
    rest: "Den Rest lösen",
    copy: "Tabelle kopieren",
    saveCsv: "Als CSV speichern",
    saveText: "Als Text speichern",
    copied: "Tabelle kopiert.",
    show: "Tabelle zeigen",
    reading: "Die Liste wird gelesen",
    empty: "Eine Liste von Brettern eingeben, einfügen oder ablegen.",
    boards: (boards, errors) =>
      (boards === 1 ? "1 Brett" : `${boards} Bretter`) +
      (errors === 0
        ? "."
        : errors === 1
          ? ", 1 Zeile ist kein Brett."
          : `, ${errors} Zeilen sind keine Bretter.`),
    tooMany: (most) => `Nur die ersten ${most} Bretter werden gelesen.`,
    goals: (size) =>
      `Für Bretter mit ${size} Feldern gilt das Ziel der Seite; bei anderen ist die Lücke ` +
      "am Ende.",
    progress: (done, all) => `${done} von ${all} fertig`,
    finished: (solved, all) => `${solved} von ${all} Brettern gelöst`,
    stopped: (done, all) => `Abgebrochen nach ${done} von ${all} Brettern`,
    table: "Bretter und ihre Lösungen",
    line: "Zeile",
    board: "Brett",
    length: "Züge",
    proved: "Bewiesen",
    time: "Zeit",
    nodes: "Knoten",
    state: "Stand",
    open: (line) => `Brett aus Zeile ${line} öffnen`,
    yes: "ja",
    atLeast: (bound) => `mindestens ${bound}`,
    states: {
      waiting: "wartet",
      tables: "Tabellen",
      running: "sucht",
      solved: "gelöst",
      unsolvable: "nicht lösbar",
      limit: "Zeit abgelaufen",
      cancelled: "abgebrochen",
      error: "Fehler",
    },
    known: (known) => `gelöst, aber in der Liste steht ${known}`,
    notText: "Diese Datei ist kein Text.",
  },

  solve: {
    solve: "Lösen",
    cancel: "Abbrechen",
    pause: "Pause",
    play: "Abspielen",
    playAgain: "Nochmals abspielen",
    playMeanwhile: "Die bisher beste abspielen",

    solution: "Lösung",
    modes: {
      optimal: "Optimal",
      strategic: "Strategisch",
      anytime: "Auf Zeit",
      custom: "Eigene Wahl",
    },
    modeWords: {
      optimal: "Eine bewiesen kürzeste Lösung.",
      strategic:
        "Stein für Stein, wie es Menschen tun: sofort auf jedem Brett, mit benannten Schritten.",
      anytime: "Sofort eine Lösung, dann immer kürzere, bis die Zeit um ist.",
      custom: "Eine Lehrbuch-Suche mit einer Heuristik nach Wahl; zeigt ihren Weg und ihre Knoten.",
    },
    optimalLarge:
      "Eine bewiesen kürzeste Lösung. Bei dieser Größe kann der Beweis Stunden dauern; bis dahin " +
      "ist eine Lösung zu sehen, die länger sein kann.",
    customMetric: "Lehrbuch-Suchen zählen einzelne Steine als Züge.",
    time: "Zeit",
    timeLimit: "Zeitgrenze",
    seconds: (value) => (value < 60 ? `${value} s` : `${value / 60} min`),
    findAll: "Alle kürzesten Lösungen finden",
    oneMove: "Ein Zug schiebt",
    metrics: { single: "Einen Stein", multi: "Mehrere Steine" },
    all: "alle",
    lines: "Reihen",

    promises: {
      optimal: "Findet eine kürzeste Lösung.",
      all: "Findet alle kürzesten Lösungen.",
      strategic: "Findet eine Lösung, der man leicht folgen kann.",
      anytime: (time) => `Findet in ${time} eine kurze Lösung.`,
      custom: (search, heuristic) => `Sucht mit ${search} und ${heuristic}.`,
    },
    best: "Beste",
    bound: "Schranke",
    nodes: "Knoten",
    rate: "Knoten/s",
    preparing: "Die Heuristik wird vorbereitet.",
    wayFromHere: "Sucht den Weg von hier.",
    isSolved: "Das Brett ist gelöst. Mischen beginnt ein neues.",
    noSolution: "Dieses Brett hat keine Lösung.",
    swap: (one, other) => `${one} und ${other} tauschen`,
    forecast: (bound, time) =>
      `Die Schranke ${bound} braucht bei diesem Tempo noch etwa ${time}.`,
    forecastLate: (bound) => `Die Schranke ${bound} braucht länger als vorhergesagt.`,
    forecastSoon: "Eine Vorhersage folgt, sobald mehr Schranken bewiesen sind.",
    proof: (time) => `Ohne kürzere Lösung dauert der Beweis etwa ${time}.`,
    proofNever: "Ohne kürzere Lösung dauert der Beweis mehr als tausend Jahre.",

    stopped: "Angehalten.",
    stoppedByPlayer: "Angehalten, weil weitergespielt wurde.",
    cancelled: "Abgebrochen.",
    limits: {
      time: "In dieser Zeit wurde keine Lösung gefunden.",
      memory: "Die Suche erreichte die Speichergrenze ohne Lösung.",
      nodes: "Die Suche erreichte die Knotengrenze ohne Lösung.",
    },
    searching: "Die Suche läuft.",
    bestSoFar: (moves) => `Bisher beste: ${moves}.`,
    noneShorter: (moves) => `Keine Lösung ist kürzer als ${moves}.`,
    solved: (outcome) => `Gelöst: ${outcome}`,

    moves: (count, shown) => (count === 1 ? `${shown} Zug` : `${shown} Züge`),
    isOptimal: (moves) => `${moves}: Keine Lösung ist kürzer.`,
    atLeast: (moves, bound) => `${moves}; eine kürzeste Lösung hat mindestens ${bound}.`,
    mayBeLonger: (moves) => `${moves}; es kann kürzere Lösungen geben.`,
    onlyOne: "Sie ist die einzige.",
    ofThem: (count) => `Es gibt ${count} davon.`,
    nodeCount: (_, shown) => `${shown} Knoten`,
    wayAsShort: "Dieser Weg ist genauso kurz.",
    wayLonger: (moves) => `Dieser Weg ist um ${moves} länger.`,
    wayShorter: (moves) => `Dieser Weg ist um ${moves} kürzer.`,

    iterations: (count) => `Iterationen von IDA*: ${count}`,
    iterationsCaption: "Jede Iteration durchsucht alle Wege bis zu ihrer Schranke.",

    ofSolutions: (count) => `von ${count}`,
    firstSolutions: (count) => `; die ersten ${count} sind hier`,

    moveList: "Züge",
    toStart: "Zum Anfang",
    stepBack: "Einen Zug zurück",
    stepOn: "Einen Zug weiter",
    toEnd: "Zum Ende",
    speed: "Tempo",
    movesPerSecond: "Züge pro Sekunde",
    move: "Zug",
    moveOf: (move, total) => `Zug ${move} von ${total}`,
    moveSaid: (move, total, tile, way) => `Zug ${move} von ${total}: Stein ${tile} nach ${way}`,
    directions: { U: "oben", D: "unten", L: "links", R: "rechts" },
    notation: "Schreibweise",
    notations: { tile: "Richtung der Steine", blank: "Richtung der Lücke", numbers: "Zahlen" },
    copy: "Kopieren",
    copied: "Die Züge sind kopiert.",
    copyByHand: (moves) => `Dieser Browser lässt die Seite nicht kopieren. Hier sind ${moves}:`,

    stepOf: (step, total) => `Schritt ${step} von ${total}`,
    steps: {
      place: (tile, row, column) => `Stein ${tile} in Zeile ${row}, Spalte ${column} setzen`,
      corner: (tiles) => `die Steine ${tiles} gemeinsam in ihre Ecke drehen`,
      finish: (tiles) => `die letzten Steine ordnen: ${tiles}`,
      slide: "die Steine die Reihe entlang schieben",
    },
    and: (list, last) => `${list} und ${last}`,

    units: { million: "Mio.", billion: "Mrd." },
    durations: {
      days: (count) => `${count} Tage`,
      years: (count) => `${count} Jahre`,
    },
  },

  versus: {
    title: "Heuristiken auf diesem Brett vergleichen",
    views: "Vergleich",
    all: "Alle Heuristiken",
    two: "Zwei nebeneinander",
    search: "Suche",
    heuristic: "Heuristik",
    first: "Erste Heuristik",
    second: "Zweite Heuristik",
    other: "Andere …",
    otherName: "Name einer Tabelle oder Heuristik",
    otherWords: "Steine einer Tabelle, etwa 5-3 oder 6-6-3, oder zwei Namen, verbunden mit +.",
    limit: "Zeitgrenze je Suche",
    run: "Starten",
    again: "Nochmals starten",
    cancel: "Abbrechen",
    playOf: (heuristic) => `Weg von ${heuristic} abspielen`,

    intro: "Welche Heuristik braucht auf diesem Brett die meisten Knoten? Jede sucht einmal.",
    introTwo: "Zwei Heuristiken durchsuchen dieses Brett mit derselben Methode.",
    mostTime: (searches, time) => `${searches} Suchen, zusammen höchstens ${time}.`,
    progress: (done, all) => `${done} von ${all} Suchen sind fertig.`,
    stopped: (done, all) => `Angehalten: ${done} von ${all} Suchen sind fertig.`,
    otherBoard: "Das Brett ist jetzt ein anderes; diese Ergebnisse gehören zu",
    otherSearch: (search) => `Die Suche ist jetzt eine andere; diese Ergebnisse sind von ${search}.`,

    most: (heuristic, nodes) => `Die meisten Knoten: ${heuristic}, ${nodes}.`,
    fewest: (heuristic, nodes) => `Die wenigsten: ${heuristic}, ${nodes}.`,
    mostSolved: (heuristic, nodes) =>
      `Die meisten Knoten der beendeten Suchen: ${heuristic}, ${nodes}.`,
    withNodes: (heuristic, nodes) => `${heuristic}, ${nodes}`,
    unfinished: (heuristics) => `An der Grenze abgebrochen: ${heuristics}.`,
    factor: (heuristic, factor, other) =>
      `${heuristic} braucht ${factor}-mal so viele Knoten wie ${other}.`,
    same: "Beide brauchen gleich viele Knoten.",

    table: "Knoten je Heuristik, die meisten zuerst",
    tableTwo: "Beide Suchen, Iteration für Iteration",
    bars: "Die Balken haben eine logarithmische Skala.",
    timesWords: "× ist die Zahl der Knoten, geteilt durch die der besten Heuristik.",
    h: "h",
    hWords: "Wert der Heuristik für das Brett",
    moves: "Züge",
    time: "Zeit",
    total: "Alle Knoten",
    bound: "Schranke",
    atLeast: (count) => `mindestens ${count}`,
    waiting: "wartet",
    running: "sucht",
    cut: { time: "Zeitgrenze", nodes: "Knotengrenze", memory: "Speichergrenze" },
    cancelled: "abgebrochen",
  },

  paper: {
    print: "Drucken",
    save: "Speichern",
    copySteps: "Schritte kopieren",
    copyRows: "In Zeilen kopieren",
    copied: "Die Schritte sind kopiert.",
    animation: "Animation (SVG)",
    boardPicture: "Brett (PNG)",
    saved: "Die Datei ist gespeichert.",
    failed: "Die Lösung lässt sich nicht speichern oder drucken: Speicher oder eine Datei fehlt.",
    noPicture: "Das Bild ist nicht lesbar.",
    noRules: "Die Regeln des Spiels sind nicht geladen.",
    boardTitle: (size) => `Schiebepuzzle ${size}`,
    solutionTitle: (size) => `Schiebepuzzle ${size}: eine Lösung`,
    board: "Brett",
    goal: "Ziel",
    moves: "Züge",
    stepsAndMoves: "Schritte und Züge",
    after: (moves) => `Nach ${moves} ${moves === 1 ? "Zug" : "Zügen"}`,
    singles: "Ein Zug schiebt einen Stein um ein Feld.",
    runs: "Ein Zug schiebt einen oder mehrere Steine einer Reihe um ein Feld.",
    reading: "5← heißt: Stein 5 geht nach links. Jede Zeile trägt die Nummer ihres ersten Zugs.",
    drawings: (every) => `Nach je ${every} Zügen ist das Brett gezeichnet.`,
    fewDrawings: (every) =>
      `Die Lösung ist lang: Nur nach je ${every} Zügen ist das Brett gezeichnet.`,
    solved: "Dieses Brett ist gelöst.",
    unsolved: "Steine in die Lücke schieben, bis das Brett wie das Ziel aussieht.",
  },

  play: {
    title: "Bestzeiten",
    solved: "Gelöst",
    inMoves: (moves) => `in ${moves} ${moves === 1 ? "Zug" : "Zügen"}`,
    helped: "mit Hilfe des Lösers",
    newFastest: "Neue Bestzeit",
    newShortest: "So wenige Züge wie noch nie",
    rate: "Bewerten",
    inspecting: (seconds) => `${seconds} s`,
    inspectionLeft: (seconds) => `Noch ${seconds} Sekunden, bis die Uhr läuft`,
    inspection: "15 Sekunden, um ein neues Brett anzusehen, bevor die Uhr läuft",
    list: "Größe und Ziel",
    goals: {
      "blank-last": "Lücke am Ende",
      "blank-first": "Lücke am Anfang",
      snake: "Schlange",
      spiral: "Spirale",
      columns: "spaltenweise",
      own: "eigene Ziele",
    },
    bestTime: "Beste Zeit",
    fewestMoves: "Wenigste Züge",
    none: "Noch keine Ergebnisse. Mische ein Brett und löse es.",
    rule:
      "Ein Spiel zählt einmal, auf einem zufällig gemischten Brett, ohne Tipps und ohne den Löser.",
    remove: "Alle löschen",
    confirm: "Alle Bestzeiten und wenigsten Züge löschen?",
    removed: "Ergebnisse gelöscht.",
  },

  advice: {
    hint: "Tipp",
    howFar: "Wie weit?",
    whichTile: "Welcher Stein?",
    whichWay: "Wohin?",
    allMoves: "Alle guten Züge",
    nothingMore: "Mehr gibt es nicht zu zeigen",
    cancel: "Abbrechen",
    make: "Zug machen",
    always: "Immer den nächsten Zug zeigen",
    whole: "Alle Schritte auf einmal",
    solved: "Das Brett ist gelöst.",
    noSolution: "Dieses Brett hat keine Lösung.",
    steps: "Vier Schritte: wie weit das Ziel ist, welcher Stein, wohin, alle guten Züge.",
    waiting: "Wartet auf die Suche nach einer Lösung.",
    looking: "Sucht die besten Züge.",
    far: (moves) => `Das Ziel ist ${moves} entfernt.`,
    atMostFar: (moves, bound) =>
      `Das Ziel ist höchstens ${moves} entfernt und mindestens ${bound}.`,
    move: (what) => `Bewege ${what}.`,
    onlyGood: "Das ist der einzige gute Zug.",
    onlyKnown: "Das ist der einzige bekannte gute Zug.",
    allGood: (moves) => `Alle guten Züge: ${moves}.`,
    allKnown: (moves) => `Alle bekannten guten Züge: ${moves}.`,
    tile: (tile) => `Stein ${tile}`,
    tiles: (first, last) => `die Steine ${first} und ${last}`,
    ways: {
      U: "nach oben",
      D: "nach unten",
      L: "nach links",
      R: "nach rechts",
    },
    moves: (count, shown) => `${shown} ${count === 1 ? "Zug" : "Züge"}`,
    game: "Dein Spiel",
    rate: "Spiel bewerten",
    rateAgain: "Neu bewerten",
    preparing: "Tabellen werden vorbereitet",
    judging: (moves, nodes) => `${moves} werden bewertet: ${nodes} Knoten`,
    noMoves: "Mache erst ein paar Züge.",
    soFar: (moves) => `Bisher ${moves}`,
    credit: "Treffer",
    efficiency: "Effizienz",
    lost: "Verloren",
    shortest: "Kürzeste",
    whereLost: "Wo Züge verloren gingen",
    showBefore: "Das Brett vor diesem Zug zeigen",
    moveNumber: "Zug",
    better: (move) => `; besser ${move}`,
    isOld: "Seitdem sind andere Züge dazugekommen. Eine neue Bewertung erfasst auch sie.",
    unknown: (size, moves) =>
      `Für Bretter der Größe ${size} sind kürzeste Entfernungen selten bewiesen, ` +
      `daher lässt sich das Spiel nicht bewerten. Die kürzeste bekannte Lösung: ${moves}.`,
    unproved: (moves) =>
      "Die kürzesten Entfernungen ließen sich nicht rechtzeitig beweisen, daher lässt sich das " +
      `Spiel nicht bewerten. Die kürzeste bekannte Lösung: ${moves}.`,
    allOptimal: (moves) => `Optimal gespielt: ${moves}.`,
    kept: (kept, moves, lost) =>
      `${moves}, davon ${kept} auf einem kürzesten Weg; verloren: ${lost}.`,
    partly: (judged, moves, kept, lost) =>
      `${moves}, davon ${judged} bewertbar: ${kept} auf einem kürzesten Weg, verloren: ${lost}. ` +
      "Die anderen sind auf dieser Größe nicht bekannt.",
    lostAt: (number, lost) => `Zug ${number}: ${lost} verloren`,
    chart: "Züge bis zum Ziel nach jedem Zug",
    chartLost: "verloren:",
  },

  guide: {
    title: "Selbst lösen",
    intro:
      "Schritt für Schritt am eigenen Brett: was als Nächstes kommt, warum, und auf Wunsch wie.",
    start: "Zeig mir, wie es geht",
    stop: "Anleitung beenden",
    notLoaded:
      "Dieser Teil der Seite ließ sich nicht laden. Prüfe die Verbindung und öffne ihn noch " +
      "einmal.",
    step: (number, count) => `Schritt ${number} von ${count}`,
    done: "Das Brett ist gelöst, Schritt für Schritt. Mische es für ein neues Spiel.",
    noSolution: "Dieses Brett hat keine Lösung. Tausche zuerst zwei Steine.",
    waiting: "Wartet auf die Suche nach einer Lösung.",
    row: (row) => `Zeile ${row}`,
    column: (column) => `Spalte ${column}`,
    lastTiles: "Die letzten Steine",
    place: (row, column) => `Zeile ${row}, Spalte ${column}`,
    corners: {
      topLeft: "die Ecke oben links",
      topRight: "die Ecke oben rechts",
      bottomLeft: "die Ecke unten links",
      bottomRight: "die Ecke unten rechts",
    },
    cornerPlace: (corner, place) => `${corner} (${place})`,
    bring: (tile, place) => `Bringe Stein ${tile} in ${place}.`,
    bringPair: (tiles, line) => `Bringe die Steine ${tiles} an das Ende von ${line}.`,
    inRow: (row) => `Zeile ${row}`,
    inColumn: (column) => `Spalte ${column}`,
    bringLast: (tiles) => `Bringe die letzten Steine in Ordnung: ${tiles}.`,
    and: "und",
    now: "Von hier aus",
    park: (tile, place) => `Stein ${tile} vorerst in ${place}.`,
    home: (tile, place) => `Stein ${tile} in ${place}: dort bleibt er.`,
    turn: (tiles) => `Die Steine ${tiles} nacheinander in die Ecke.`,
    order: "Den Rest in Ordnung.",
    away: (tiles) =>
      `Nicht an ihrem Platz: ${tiles}. Unterwegs ist das in Ordnung; der Schritt endet, wenn sie ` +
      "zurück sind.",
    showMoves: "Züge zeigen",
    hideMoves: "Züge verbergen",
    makeMoves: "Diese Züge machen",
    movesOf: (moves) => `${moves} für diesen Schritt`,
    moveWords: (tile, way) => `Stein ${tile} ${way}`,
    why: "So geht es",
    next: (words) => `Geschafft. Als Nächstes: ${words}`,
    ahead: (words) => `Jetzt: ${words}`,
    fillRow:
      "Löse das Brett von außen bis zum Platz der Lücke im Ziel. Fertige Steine bleiben liegen. " +
      "Ein Stein rückt nur in die Lücke. Bringe also die Lücke auf die Seite, zu der der Stein " +
      "soll, schiebe ihn, führe die Lücke um ihn herum und schiebe wieder. Sie läuft an den " +
      "fertigen Steinen vorbei, nie durch sie hindurch.",
    fillColumn:
      "Was übrig ist, ist breiter als hoch: jetzt kommt eine Spalte. Sie füllt sich wie eine " +
      "Zeile, Stein für Stein von einem Ende: Bringe die Lücke auf die Seite, zu der der Stein " +
      "soll, schiebe ihn und führe die Lücke um ihn herum, an den fertigen Steinen vorbei.",
    lastTwo:
      "Die letzten beiden Steine einer Reihe gehen nicht nacheinander an ihren Platz: der zweite " +
      "müsste durch den ersten hindurch. Stelle sie deshalb erst auf: den einen auf den Platz " +
      "des anderen, ganz am Ende der Reihe, den anderen gleich dahinter, auf der inneren Seite. " +
      "Dann kommt die Lücke auf den freien Platz, der erste Stein rückt die Reihe entlang, und " +
      "der zweite folgt ans Ende. Sitzt der zweite am falschen Platz fest, führe beide heraus und " +
      "beginne neu.",
    lastFour:
      "Drei Steine und die Lücke sind in einem Quadrat aus vier Feldern übrig. Führe die Lücke " +
      "immer in einer Richtung im Kreis: die Steine laufen mit, und nach höchstens drei Runden " +
      "liegen sie richtig.",
    lastSix:
      "Fünf Steine und die Lücke sind in einem Block aus sechs Feldern übrig. Löse erst die " +
      "beiden Steine am äußeren Ende wie immer die letzten zwei; führe dann die Lücke im Quadrat " +
      "aus vier Feldern im Kreis, bis die anderen liegen. Die gezeigten Züge sind ein kürzester " +
      "Weg.",
    slide: "Das Brett hat nur eine Reihe: Schiebe die Steine in ihr entlang.",
  },

  picture: {
    title: "Ein Bild auf den Steinen",
    cropTitle: "Bild zuschneiden",
    chooseFile: "Datei wählen",
    orDrop: "oder eine irgendwo ablegen oder einfügen",
    file: "Bilddatei",
    builtins: "Mitgelieferte Bilder",
    names: { lake: "See", sunflower: "Sonnenblume", glass: "Glas" },
    address: "Adresse eines Bildes",
    load: "Laden",
    paste: "Einfügen",
    use: "Dieses Bild verwenden",
    another: "Ein anderes",
    cropAgain: "Neu zuschneiden",
    remove: "Bild entfernen",
    stays: "Das Bild bleibt auf diesem Gerät.",
    drop: "Bild irgendwo ablegen",
    reading: "Das Bild wird gelesen",
    loading: "Das Bild wird geladen",
    solved: "So sieht es gelöst aus.",
    preview: "Das in Steine geteilte Bild",

    crop: (words) =>
      `Ausschnitt, ${words}. Pfeiltasten verschieben ihn, mit Umschalt ändern sie die Größe.`,
    cropWords: (width, height, left, top) =>
      `${width}x${height} Pixel, ${left} von links, ${top} von oben`,
    pixels: (width, height) => `${width}x${height} Pixel`,

    unreadable: "Dieses Bild ist nicht lesbar. Als JPEG oder PNG speichern und erneut versuchen.",
    clipboardEmpty: "In der Zwischenablage ist kein Bild. Eines kopieren und erneut einfügen.",
    clipboardDenied:
      "Der Browser lässt die Seite die Zwischenablage nicht lesen. Strg+V (oder Cmd+V) drücken.",
    noMemory: "Dieser Browser hat keinen Speicher mehr für ein Bild.",
    notKept: "Dieser Browser konnte das Bild nicht behalten: zu wenig Speicher.",
    notDrawn: "Das Bild konnte nicht gezeichnet werden: zu wenig Speicher.",
    notStored:
      "Der Speicher des Browsers ist voll oder gesperrt: Das Bild bleibt, bis die Seite neu lädt.",
    foreign:
      "Dieser Browser lässt die Seite dieses Bild nicht verwenden. " +
      "Als JPEG oder PNG speichern und erneut versuchen.",
    empty: "Diese Datei ist leer: Sie enthält kein Bild.",
    tooManyBytes: (size, most) =>
      `Diese Datei hat ${size}. Höchstens ${most} sind hier lesbar: ` +
      "das Bild verkleinern und erneut versuchen.",
    fileGone: "Diese Datei ist nicht lesbar. Gibt es sie noch?",
    animated: "Dieses Bild ist bewegt; verwendet wird das erste Einzelbild.",
    truncated: "Diese JPEG-Datei ist abgeschnitten: Ein Teil des Bildes fehlt.",
    heic:
      "Das ist ein HEIC-Bild, und dieser Browser liest kein HEIC. Als JPEG speichern " +
      "(auf dem Telefon: per Mail an sich selbst schicken) und erneut versuchen.",
    tiff:
      "Das ist ein TIFF-Bild, und Browser lesen kein TIFF. " +
      "Als JPEG oder PNG speichern und erneut versuchen.",
    damaged: (format) =>
      `Dieses ${format}-Bild ist beschädigt oder unvollständig: Es ist nicht lesbar. ` +
      "Eine andere Kopie versuchen.",
    svgDamaged: "Dieses SVG-Bild ist beschädigt: Es ist nicht lesbar.",
    notPicture: (type) =>
      `Das ist kein Bild, das ein Browser lesen kann${type && ` (sein Typ ist ${type})`}. ` +
      "Als JPEG oder PNG speichern und erneut versuchen.",
    tooSmall: (size, least) =>
      `Dieses Bild hat ${size}. Nötig sind mindestens ${least}x${least}.`,
    tooNarrow: (size) => `Dieses Bild hat ${size}: Es ist zu schmal für Steine.`,
    tooLarge: (size) =>
      `Dieses Bild hat ${size}, mehr als dieser Browser lesen kann. ` +
      "Auf etwa 4000 Pixel Breite verkleinern und erneut versuchen.",
    notAddress: "Das ist keine Adresse eines Bildes. Sie sieht so aus: https://example.org/cat.jpg",
    answers: (host, status) =>
      `${host} antwortet mit ${status}: Unter dieser Adresse ist kein Bild.`,
    isPage:
      "Das ist die Adresse einer Seite, nicht eines Bildes. Auf dem Bild " +
      "„Bildadresse kopieren“ wählen, oder es speichern und die Datei hier ablegen.",
    noAnswer: (host, seconds) =>
      `${host} hat nicht innerhalb von ${seconds} Sekunden geantwortet. ` +
      "Das Bild in einem anderen Tab öffnen, speichern und die Datei hier ablegen.",
    offline: "Es gibt keine Verbindung. Ein Bild aus einer Datei geht auch ohne.",
    forbidden: (origin) =>
      `Diese Seite darf nicht von ${origin} laden. ` +
      "Das Bild in einem anderen Tab öffnen, speichern und die Datei hier ablegen.",
    unreachable: (host) =>
      `${host} ist nicht erreichbar oder lässt andere Seiten seine Bilder nicht verwenden. ` +
      "Das Bild in einem anderen Tab öffnen, speichern und die Datei hier ablegen.",
    dataDamaged: "Diese data:-Adresse ist beschädigt: Sie ist nicht lesbar.",
  },

  laboratory: {
    title: "Labor",
    values: "Auf diesem Brett",
    compare: "Vergleich",

    unsolvable:
      "Dieses Brett ist unlösbar, es gibt nichts zu schätzen. Zuerst zwei Steine tauschen.",
    reading: "Das Brett wird gelesen …",
    lead:
      "Eine Heuristik ist eine untere Schranke der nötigen Züge. Eine antippen, um ihre Teile zu " +
      "sehen.",
    largest: "größte",
    trueDistance: "Wahre Entfernung",
    findDistance: "Bestimmen",
    onlySingleMoves: "nur für Züge einzelner Steine bestimmt",
    notFound: (seconds, least, most) =>
      `in ${seconds} Sekunden nicht gefunden; sie liegt zwischen ${least} und ${most}`,
    noTerms: "Auf diesem Brett hat sie keine Teile.",
    moreTerms: (count) => `und ${count} weitere`,
    consistent: "Konsistent: Ein Zug ändert sie nie um mehr als 1.",
    notConsistent: "Nicht konsistent: Ein Zug kann sie um mehr als 1 ändern.",

    noHeuristic: "ohne Heuristik",
    database: (name) => `Musterdatenbank ${name}`,
    heuristics: {
      zero: "Null",
      misplaced: "Steine am falschen Platz",
      manhattan: "Manhattan-Distanz",
      "linear-conflict": "Linearkonflikt",
      "inversion-distance": "Inversionsdistanz",
      "walking-distance": "Walking-Distanz",
    },
    heuristicSentences: {
      zero: "Verwendet kein Wissen: 0 für jedes Brett.",
      misplaced: "Zählt die Steine am falschen Platz: Jeder muss mindestens einmal ziehen.",
      manhattan: "Summe der Spalten und Zeilen zwischen jedem Stein und seinem Platz.",
      "linear-conflict":
        "Manhattan-Distanz, plus 2 für jeden Stein, der seine Reihe verlassen muss, damit andere " +
        "vorbeikommen.",
      "inversion-distance":
        "Zählt Paare von Steinen in falscher Reihenfolge: Ein Zug ordnet nur wenige davon.",
      "walking-distance":
        "Exakte Entfernung in einem einfacheren Puzzle: Steine einer Reihe sehen dort gleich aus.",
    },
    databaseSentence: "Exakte Entfernungen einiger Steine, aus vorab berechneten Tabellen.",
    searches: {
      astar: "A*",
      "ida-star": "IDA*",
      "weighted-astar:1.5": "Gewichtetes A*, 1,5",
      greedy: "Gierige Suche",
      bidirectional: "Bidirektionale Suche (NBS)",
      "breadth-first": "Breitensuche",
      "uniform-cost": "Uniforme-Kosten-Suche",
    },
    searchSentences: {
      astar: "Expandiert die wenigsten Knoten und behält alle im Speicher.",
      "ida-star": "Behält nur einen Pfad im Speicher und besucht Bretter immer wieder.",
      "weighted-astar:1.5":
        "Weniger Knoten als A*; Lösungen sind höchstens 1,5-mal so lang wie die kürzeste.",
      greedy: "Folgt nur der Heuristik: schnell, mit langen Lösungen.",
      bidirectional: "Beginnt an beiden Enden und trifft sich in der Mitte.",
      "breadth-first": "In alle Richtungen zugleich, ohne Heuristik.",
      "uniform-cost": "Nach den bisherigen Zügen, ohne Heuristik.",
    },

    form: "Mehrere Suchen und Heuristiken auf denselben Brettern. Läuft auch ohne Änderungen.",
    boards: "Bretter",
    random: "Zufällig",
    walks: "Nach Zufallszügen",
    thisBoard: "Das Brett der Seite",
    sizes: "Größen",
    moves: "Zufallszüge",
    numberForEach: "Bretter je Zahl von Zügen",
    numberOfSize: "Bretter je Größe",
    heuristicChoice: "Heuristiken",
    searchChoice: "Suchen",
    more: "Grenzen und mehr",
    maxNodes: "Knoten je Suche, höchstens",
    maxMemory: "Speicher je Suche, MB",
    maxTime: "Sekunden je Suche",
    noLimit: "unbegrenzt",
    seed: "Startwert",
    others: "Weitere Heuristiken: Aufteilungen, oder mehrere mit + verbunden",
    run: "Starten",
    searchCount: (count, isOne) => `${count} ${isOne ? "Suche" : "Suchen"}`,

    noSize: "Mindestens eine Größe wählen.",
    noSearch: "Mindestens eine Suche wählen.",
    noHeuristicOf: (size) => `Mindestens eine Heuristik wählen, die es für ${size} gibt.`,
    tooMany: (runs, most) =>
      `Das sind ${runs} Suchen; höchstens ${most} passen in einen Lauf. ` +
      "Weniger Bretter oder Heuristiken wählen.",
    wrongSeed: "Der Startwert ist eine ganze Zahl ab 0.",
    wrongNumber: (most) => `Die Zahl der Bretter ist eine ganze Zahl von 1 bis ${most}.`,
    wrongNodes: (most) => `Die Grenze der Knoten ist eine ganze Zahl von 1 bis ${most}.`,
    wrongMemory: (most) => `Die Grenze des Speichers ist eine ganze Zahl von 1 bis ${most}.`,
    wrongTime: "Die Zeitgrenze liegt zwischen 0,001 und 3.600 Sekunden.",
    wrongMoves: (word) =>
      `Zufallszüge sind ganze Zahlen wie 10, 30, 50${word ? `, nicht „${word}“` : ""}.`,

    finished: "Beendete Suchen",
    progress: (finished, runs) => `${finished} von ${runs} Suchen`,
    now: (search, boards) => `; jetzt ${search}, ${boards}`,
    secondsLeft: (seconds, isLeast) =>
      `noch ${isLeast ? "mindestens" : "etwa"} ${seconds} Sekunden`,
    minutesLeft: (minutes, isLeast) =>
      `noch ${isLeast ? "mindestens" : "etwa"} ${minutes} Minuten`,
    cancel: "Abbrechen",
    stopped: (finished, runs) =>
      `Abgebrochen nach ${finished} von ${runs} Suchen; ihre Ergebnisse bleiben.`,
    done: (finished, seconds) => `${finished} Suchen in ${seconds} Sekunden.`,
    plotsOf: "Diagramme dieser Bretter",

    randomBoards: (size) => `${size}, zufällig`,
    walkedBoards: (size, moves) => `${size}, ${moves} Züge`,
    givenBoard: (size) => `${size}, dieses Brett`,

    series: "Reihen des Diagramms",
    download: "Als SVG herunterladen",
    downloadPlot: "Dieses Diagramm als SVG herunterladen",
    plotFailed: "Die Diagramme lassen sich nicht zeichnen",
    notes: {
      nodes: "Kleine Punkte sind Bretter, große der Median aller Bretter dieser Länge.",
      spread: "Eine Suche, die eine Grenze beendet hat, zählt mit den Knoten, die sie erzeugt hat.",
      time: "Eine Suche, die eine Grenze beendet hat, zählt mit der Zeit, die sie gebraucht hat.",
      solved: "",
      h: "Die Fläche eines Kreises ist die Zahl der Bretter; die Linie ist der Mittelwert.",
      "walk-nodes": "Wo eine Grenze Suchen beendet hat, ist der wahre Mittelwert größer.",
      "walk-length": "Nur gelöste Bretter.",
    },
    plots: {
      nodes: "Knoten nach Länge der Lösung",
      spread: "Knoten",
      time: "Zeit",
      solved: "Gelöste Bretter nach Zeit",
      h: "Wert der Heuristik nach wahrer Entfernung",
      "walk-nodes": "Mittlere Knoten nach Zufallszügen",
      "walk-length": "Länge der Lösungen nach Zufallszügen",
      and: ", ",
      mean: "Mittel",
      shortest: "kürzeste",
      limit: "{} von {} an einer Grenze",
      generated: "erzeugte Knoten",
      length: "Züge der Lösung",
      "shortest-length": "Züge einer kürzesten Lösung",
      ms: "Millisekunden",
      share: "gelöste Bretter",
      distance: "wahre Entfernung in Zügen",
      value: "Wert der Heuristik",
      walk: "Zufallszüge",
      admissible: "zulässig: nie über der Entfernung",
      "as-many": "so viele Züge wie Zufallszüge",
      boxes:
        "Kasten: die mittlere Hälfte; dicke Linie: der Median; Enden: kleinster und größter Wert.",
      counts: "Bretter:",
    },

    table: "Tabelle",
    columns: {
      boards: "Bretter",
      search: "Suche",
      heuristic: "Heuristik",
      both: "Suche und Heuristik",
      solved: "Gelöst",
      over: "Durch eine Grenze beendet",
      meanLength: "Länge, Mittel",
      meanH0: "Wert am Anfang",
      meanGenerated: "Erzeugt, Mittel",
      medianGenerated: "Erzeugt, Median",
      meanExpanded: "Expandiert, Mittel",
      medianExpanded: "Expandiert, Median",
      meanMs: "ms, Mittel",
      medianMs: "ms, Median",
      branchingFactor: "Verzweigungsfaktor",
    },
    limits: { nodes: "Knoten", memory: "Speicher", time: "Zeit" },
    over: (count, limit) => `${count} an der Grenze: ${limit}`,
    solvedOf: (solved, runs) => `${solved} von ${runs}`,
    lowerBounds:
      "≥: mindestens so viel, weil eine Grenze Suchen beendet hat. Längen und " +
      "Verzweigungsfaktoren gelten für gelöste Bretter.",
    allAsCsv: (count) => `Alle ${count} Suchen als CSV`,
    copyMarkdown: "Als Markdown kopieren",
    copyCsv: "Als CSV kopieren",
    tableAsMarkdown: "Tabelle als Markdown kopiert.",
    tableAsCsv: "Tabelle als CSV kopiert.",
  },

  tables: {
    lead:
      "Tabellen kennen die Entfernungen einiger Steine im Voraus. So kann die Suche die meisten " +
      "Bretter auslassen.",
    choose: "Andere Aufteilung wählen",
    load: "Tabellen laden",
    memoryAndStorage: "Arbeitsspeicher und Browserspeicher",
    cancel: "Abbrechen",
    starting: "Der Löser startet",
    stages: {
      build: (table, tables) => `Tabelle ${table} von ${tables} wird berechnet`,
      download: (table, tables) => `Tabelle ${table} von ${tables} wird geladen`,
      unpack: (table, tables) => `Tabelle ${table} von ${tables} wird entpackt`,
      verify: (table, tables) => `Tabelle ${table} von ${tables} wird bewiesen`,
    },

    partition: "Aufteilung",
    none: "keine",
    other: "Andere Aufteilung",
    otherExample: "7-8 oder 1,2,5,6/3,4,7,8",
    otherHelp:
      "Die Größen der Teile, oder die Steine jedes Teils mit / zwischen den Teilen; mehrere " +
      "Aufteilungen mit + verbunden.",
    build: "Berechnen",

    usual: "übliche Tabellen",
    tryAgain: "Nochmals versuchen",
    useNone: "Ohne Tabellen",
    notBuilt: "Noch sind keine Tabellen berechnet: Das geschieht, sobald sie gebraucht werden.",
    buildNow: "Jetzt berechnen",
    manhattan: "Keine Tabellen: Die Suche schätzt mit der Manhattan-Distanz.",
    manhattanLarge:
      "Keine Tabellen: Die Suche schätzt mit der Manhattan-Distanz, die für Bretter dieser Größe " +
      "gut genug ist.",
    sum: (bytes, tables, time, origin) =>
      `${bytes} in ${tables === 1 ? "einer Tabelle" : `${tables} Tabellen`}, bereit nach ${time}` +
      `${origin === "" ? "" : `, aus ${origin}`}.`,
    prove: "Jeden Eintrag beweisen",
    isProved: "Jeder Eintrag ist bewiesen",
    free: "Verwerfen",

    pattern: (tiles) => `Muster der Steine ${tiles}`,
    entries: (count) => `${count} Einträge`,
    about: (bytes, kind, largest) => `${bytes}, ${kind}, größter Wert ${largest}`,
    kinds: {
      "zero-aware": "kennt den Platz der Lücke",
      "blank-compressed": "ohne den Platz der Lücke",
      full: "ganze Bretter",
      runs: "Züge von Reihen",
    },
    checks: {
      built: "Hier berechnet",
      sums: "Geladen, Prüfsummen stimmen",
      proved: "Jeder Eintrag bewiesen",
    },
    save: (tiles) => `Die Tabelle der Steine ${tiles} als Datei speichern`,

    inMemory: (bytes) => `Im Arbeitsspeicher: ${bytes}`,
    nothing: "Nichts.",
    noTables: "keine Tabellen",
    runs: ", Reihen",
    inUse: "(in Gebrauch)",
    freeOf: (tables, size) => `${tables} für ${size} verwerfen`,
    kept: (bytes) => `In diesem Browser gespeichert: ${bytes}`,
    nothingKept: "Nichts. Von einer Adresse geladene Tabellen werden hier gepackt gespeichert.",
    remove: "Löschen",
    removeOf: (file) => `${file} löschen`,
    removeAll: "Alle löschen",

    files: "Tabellendateien",
    chooseFiles: "Dateien wählen",
    filesHelp:
      "Tabellen (.pdb), gepackte Tabellen (.pdbz) oder ein Bündel in einer Datei, erzeugt von " +
      "pdb-gen. Die Dateien bleiben auf diesem Gerät.",
    address: "Adresse auf dieser Website",
    addressExample: "tables/manifest.json",
    addressHelp:
      "Die manifest.json eines Bündels oder ein Bündel in einer Datei, auf der eigenen Website " +
      "der Seite: Von anderen lädt sie nichts. Geladenes bleibt für den nächsten Besuch.",
    loadAddress: "Laden",

    ready: "Die Tabellen sind bereit.",
    readyDefault: "Übliche Tabellen: bereit.",
    readyNone: "Keine Tabellen: bereit.",
    readyPartition: (partition) => `Tabellen ${partition}: bereit.`,
    fileCount: (files) => `${files} Dateien`,
    loaded: (origin) => `${origin}: geladen und geprüft.`,
    proved: "Jeder Eintrag ist bewiesen.",
    saved: (file) => `${file}: gespeichert.`,
    freed: "Die Tabellen sind verworfen, ihr Speicher ist frei.",
    removed: "Gelöscht.",
    cancelled: "Abgebrochen.",
    noTableFile:
      "Keine Tabellendatei dabei: Erwartet wird .pdb, .pdbz oder ein Bündel in einer Datei, wie " +
      "pdb-gen sie erzeugt",
    tooLarge: (file) => `${file} ist größer, als eine Seite fassen kann`,
    noAddress: "Zuerst die Adresse einer manifest.json oder eines Bündels eingeben",
    badAddress: (address) =>
      `„${address}“ ist keine Adresse: Erwartet wird eine wie tables/manifest.json`,
    otherSite: (here, there) =>
      `Diese Seite lädt Tabellen nur von ihrer eigenen Website (${here}), und ${there} ist eine ` +
      "andere. Das Bündel herunterladen und als Datei laden, oder neben die Seite legen",
    noStorage:
      "Dieser Browser speichert nichts für diese Seite: Der Speicher ist gesperrt oder fehlt. " +
      "Tabellen funktionieren trotzdem. Um sie zu behalten, dieser Website das Speichern " +
      "erlauben.",
    otherBoard: (origin, size, reason) =>
      `${origin} passt nicht zu diesem Brett (${size}): ${reason}`,
    unchanged: "Die Tabellen in Gebrauch bleiben, wie sie waren.",
  },

  about: {
    lead:
      "Ein Schiebepuzzle mit Zahlen oder einem eigenen Bild. Die Seite findet kürzeste Lösungen " +
      "und beweist sie, hilft mit Tipps und bewertet das Spiel. Alles wird auf diesem Gerät " +
      "berechnet, und nach dem ersten Besuch geht es auch ohne Netz, das Labor nach dem zweiten.",
    keys: "Tasten",
    keyNames: {
      shift: "Umschalt",
      arrow: "Pfeil",
      control: "Strg",
      space: "Leertaste",
      escape: "Esc",
    },
    arrowKeys: "einen Stein in dieser Richtung in die Lücke schieben",
    letterKeys: "dasselbe (in den Einstellungen abschaltbar)",
    lineKeys: "die ganze Reihe schieben",
    undoKeys: "einen Zug zurücknehmen",
    redoKeys: "ihn wiederholen",
    playKeys: "eine Lösung abspielen und anhalten",
    stepKeys: "in einer Lösung zurück und weiter",
    tabKey: "vom Brett zu den Knöpfen und zurück",
    escapeKey: "den Bereich oder das Fenster schließen",
    pointer:
      "Oder klicken, tippen, ziehen: Ein Stein neben der Lücke rutscht hinein, und ein weiter " +
      "entfernter in ihrer Zeile oder Spalte nimmt die ganze Reihe mit.",
    privacy: "Privatsphäre",
    privacyText:
      "Nichts verlässt dieses Gerät: keine Bretter, keine Bilder, keine Besuchszahlen. Die Seite " +
      "lädt ihre eigenen Dateien, andere nur von Adressen, die für ein Bild oder für Tabellen " +
      "eingegeben werden. Spiel, Einstellungen, Bild und geladene Tabellen bleiben in diesem " +
      "Browser, bis sie gelöscht werden.",
    how: "Wie es funktioniert",
    board: "Das Brett",
    boardText:
      "Die Hälfte aller Bretter ist unlösbar: Ein Zug ändert nie, ob noch eine gerade oder eine " +
      "ungerade Zahl von Vertauschungen fehlt. Der Streifen über dem Brett zählt sie und " +
      "vertauscht auf Wunsch zwei Steine.",
    optimal: "Optimal",
    optimalText:
      "Die Suche probiert alle Wege, die noch die kürzesten sein können, und keine anderen " +
      "(IDA*). Was sie auslässt, ist sicher zu lang: Dafür sind die Tabellen da. Die Antwort ist " +
      "bewiesen.",
    databases: "Musterdatenbanken",
    databasesText:
      "Eine Tabelle enthält die genaue Zahl der Züge, die einige Steine von überall her " +
      "brauchen. Die Werte von Tabellen mit verschiedenen Steinen werden addiert. Für das Brett " +
      "4x4 entstehen sie hier, auf diesem Gerät, in Sekundenbruchteilen.",
    strategic: "Strategisch",
    strategicText:
      "Stein für Stein, Reihe für Reihe, wie Menschen es machen: sofort und auf jedem Brett, " +
      "aber zwei- bis dreimal so lang wie die kürzeste Lösung.",
    anytime: "Auf Zeit",
    anytimeText:
      "Sofort eine strategische Lösung, danach immer kürzere, solange die Suche laufen darf. Die " +
      "Schranke sagt, wie kurz eine Lösung bestenfalls noch werden kann.",
    laboratory: "Das Labor",
    laboratoryText:
      "Heuristiken und Suchen aus dem Lehrbuch auf denselben Brettern. Die Zahl der Knoten ist " +
      "auf jedem Rechner und in jedem Lauf dieselbe, die Zeiten sind die dieses Geräts.",
    licences: "Lizenzen",
    licencesText:
      "Freie Software, wahlweise unter der MIT-Lizenz oder der Apache-Lizenz 2.0. Die " +
      "mitgelieferten Bilder gehören dazu.",
    version: (version) => `sliding-tile-pdb Version ${version}`,

    shipped: "Alle mitgelieferte Software",
    loading: "Wird geladen",
    inPage: "In den Skripten der Seite.",
    inSolver: "Im WebAssembly des Lösers.",
    licenceOf: (name) => `Lizenz von ${name}`,
    noLicenceText: "Das Paket enthält keine Datei mit dem Lizenztext.",
    notLoaded: "Die Liste konnte nicht geladen werden.",
    tryAgain: "Nochmals versuchen",
  },

  notices: {
    close: "Meldung schließen",
    closeDialog: "Schließen",
    loading: "Wird geladen",
    notLoaded:
      "Dieser Teil der Seite konnte nicht geladen werden. Die Verbindung prüfen und ihn noch " +
      "einmal öffnen.",
    fault: "Dieser Bereich hatte einen Fehler; das Brett ist davon nicht betroffen.",
    openAgain: "Noch einmal öffnen",
    copyTitle: "Diesen Text kopieren",
    copyByHand: "Der Browser lässt die Seite nicht kopieren: alles auswählen und kopieren.",
    newVersion: "Es gibt eine neue Fassung dieser Seite.",
    useIt: "Neu laden",
    page: "Schiebepuzzle",
    picture: "Bild",
    pictureLong: "Ein Bild auf den Steinen",
  },

  errors: {
    remedies: {
      memory: "Eine kleinere Aufteilung oder keine Tabellen wählen.",
      download: "Adresse und Verbindung prüfen, dann nochmals versuchen.",
      storage: "Die Tabellen sind nutzbar, bleiben aber nicht bis zum nächsten Besuch.",
      unsupported: "Ein neuerer Browser ist nötig.",
    },
    offline: "Es gibt keine Verbindung, und dieser Teil der Seite wurde hier noch nicht benutzt.",
    unknown: "Etwas ging schief; der Grund ist nicht bekannt.",
    tablesCancelled: "Die Berechnung der Tabellen wurde abgebrochen.",
    partitions: {
      none: "keine Tabellen, kein Speicher",
      runs: "Tabellen für Reihen von Steinen",
      usual: "üblich für diese Größe",
      one: "eine Tabelle: genaue Entfernungen",
      two: "zwei Tabellen",
      fringe: "eine Tabelle, aus Lehrbüchern bekannt",
      "6-6-3": "sofort, 3 MB",
      small: "ein Moment, 7 MB, weniger Knoten",
      "5-5-5": "sofort, 0,3 MB, mehr Knoten",
      "7-8": "zehn Sekunden, 600 MB, die wenigsten Knoten",
    },
  },
};
