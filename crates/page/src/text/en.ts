import { english } from "sliding-tile-pdb/board";

/** Every text of the page in English. Another language is a file with the same keys. */
export const en = {
  panels: {
    title: "Panels",
    panel: (title: string) => `${title} panel`,
    solve: "Solve",
    advice: "Help",
    laboratory: "Laboratory",
    about: "About",
    close: "Close panel",
  },
  settings: {
    language: "Language",
    colours: "Colours",
    themes: { auto: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" },
    slide: "How fast tiles slide",
    speeds: { slow: "Slow", normal: "Normal", fast: "Fast", instant: "At once" },
    lessMotion: "The system asks for less motion: tiles move at once.",
    boardAndKeys: "Board",
    numbers: "Numbers on the pieces of a picture",
  },

  board: {
    region: "Board",
    name: (size: string) => `${size} board`,
    arrange: "Drag a tile onto another, or choose two, to swap them.",
    done: "Done",
    keys: "Arrow keys or W A S D slide a tile into the blank; with Shift, a whole line.",
    moreKeys: "Ctrl+Z undoes a move. Ctrl with an arrow goes from tile to tile, Enter slides it.",
    zoomIn: "Magnify the board",
    zoomOut: "Show more of the board",
    zoomed: (percent: number) => `Magnified to ${percent} %`,
    moves: (count: number): string => (count === 1 ? "move" : "moves"),
    undo: "Undo",
    undoKey: "Undo (U)",
    redo: "Redo",
    redoKey: "Redo (Ctrl+Y)",
    hint: "Hint",
    // Texts of the strip above the board.
    notSolvable: "This board cannot be solved: two tiles are exchanged.",
    reason:
      (isOdd: boolean, blankMoves: number) =>
      `The tiles need an ${isOdd ? "odd" : "even"} number of swaps, the blank ${blankMoves} ` +
      "moves: both must be odd, or both even. Any swap of two tiles mends it; the marked two may " +
      "be right.",
    reachable: (goals: string) => `Goals it can reach: ${goals}.`,
    swap: (one: number, other: number) => `Swap ${one} and ${other}`,
    newBoard: "New board",
    isGoal: "This is the goal. Shuffle to begin.",
    why: "Why?",
  },

  /** The texts of the package's board element. */
  element: english,

  goal: {
    title: "The goal",
    goal: "Goal",
    label: (name: string, rows: string) => `Goal: ${name}${rows}`,
    blank: "blank",
    show: "Show the goal",
    back: "Back to the board",
    backShort: "Back",
    change: "Change the goal",
    changeShort: "Change",
    ownOrder: "Own order",
    presets: {
      "blank-last": "Blank last",
      "blank-first": "Blank first",
      snake: "Snake",
      spiral: "Spiral",
      columns: "Column order",
    },
    order: "Order",
    asBoard: "As the board now",
    reachable: "The board can reach this goal.",
    unreachable: "The board cannot reach this goal: two tiles are exchanged, or a new board is drawn.",
    use: "Use this goal",
  },

  game: {
    size: (size: string) => `Size: ${size}`,
    columns: "Columns",
    rows: "Rows",
    use: "Use",
    shuffle: "Shuffle",
    shuffleTitle: "A random board",
    shuffleKinds: "Kinds of shuffle",
    shuffleDistance: "Random moves from the goal",
    shuffleMoves: "Shuffle by moves",
    more: "More",
    enterBoard: "Enter a board",
    enterMoves: "Enter moves",
    arrange: "Arrange the board",
    toStart: "Back to the start",
    copyBoard: "Copy the board as text",
    link: "Link",
    settings: "Settings",
    boardCopied: "Board copied.",
    linkCopied: "Link copied.",
    linkNoPicture: "It has no picture: yours stays on this device.",

    boardField: "Type or paste the numbers in reading order, or touch them; 0 is the gap.",
    boardRead: "The board as it was read",
    boardSize: (size: string) => `A ${size} board.`,
    boardPlay: "Play this board",
    rulesMissing: "Boards and moves cannot be read yet: the rules are still loading.",
    boardEmpty: (example: string) => `Write or paste a board, such as ${example}.`,
    boardExample: (found: string, example: string) =>
      `${found} A board looks like this: ${example}.`,
    boardSizes: (size: string, smallest: number, largest: number) =>
      `This is a ${size} board; boards here are from ${smallest}x${smallest} to ` +
      `${largest}x${largest}.`,

    newBoard: (size: string) => `New ${size} board`,
    replaced: (moves: number) =>
      `Your game of ${moves} ${moves === 1 ? "move" : "moves"} was replaced.`,
    takeBack: "Take it back",
    restored: (size: string, moves: number) =>
      `The ${size} game of ${moves} ${moves === 1 ? "move" : "moves"} is back`,
    boardStays: "The board stays as it was.",
    otherBoard: "Another board is shown instead.",
    noWasm: "This browser has no WebAssembly, which the solver needs. You can still play.",
    noSimd: "This browser is too old for the solver (no WebAssembly SIMD). You can still play.",
    notLoaded: "The solver could not be loaded. You can still play.",
    loadAgain: "Load again",

    addressNoSize: "The address has no size such as 4x4 (columns x rows).",
    addressBadSize: (size: string) =>
      `The address has "${size}" in place of a size such as 4x4 (columns x rows).`,
    addressSizes: (size: string, smallest: number, largest: number) =>
      `The address asks for a ${size} board; boards are from ${smallest}x${smallest} to ` +
      `${largest}x${largest}.`,
    addressBoard: (size: string, last: number, found: string) =>
      `The board in the address is damaged: a ${size} board has the numbers from 0 to ${last}, ` +
      `each once; ${found}`,
    addressGoal: (size: string, last: number, found: string) =>
      `The goal in the address is damaged: a ${size} board has the numbers from 0 to ${last}, ` +
      `each once; ${found}`,
    numberForeign: (word: string) => `"${word}" is none of them.`,
    numberTwice: (word: string) => `${word} appears twice.`,
    numbersFew: (count: number) => `there are ${count}.`,

    movesField: "Letters U, D, L, R with or without counts, such as U2RD, or numbers of tiles.",
    movesLetters: "Letters are directions of",
    movesAuto: "the tile or the blank, whichever fits",
    movesTile: "the tile",
    movesBlank: "the blank",
    movesEmpty: "Moves are checked on the board while you type.",
    movesSolve: (moves: number) =>
      moves === 1 ? "1 move, which solves the board." : `${moves} moves, which solve the board.`,
    movesEnd: (moves: number) =>
      moves === 1
        ? "1 move. The board is not solved after it."
        : `${moves} moves. The board is not solved after them.`,
    movesAsTile: "Letters are directions of the tile.",
    movesAsBlank: "Letters are directions of the blank.",
    movesFromStart: "They are possible on the board that the game began with.",
    movesGoStart: "Go back to the start of the game",
    movesAfter: "The board after these moves",
    movesBefore: "The board before the move that is not possible",
    movesShow: "Show the place",
    movesStep: "Step through",
    moveUnknown: (number: number, sign: string) =>
      `Move ${number}: "${sign}" is not a move. Write U, D, L or R, with or without a count such ` +
      "as U2, or write the numbers of tiles.",
    moveEdge: (number: number, sign: string, side: "U" | "D" | "L" | "R", place: string) =>
      `Move ${number}, "${sign}", is not possible: the blank is at ${place}, and there is no ` +
      `tile ${{ U: "below", D: "above", L: "to the right of", R: "to the left of" }[side]} it.`,
    moveApart: (number: number, tile: number, place: string, blank: string) =>
      `Move ${number} is not possible: tile ${tile} is at ${place}, not beside the blank at ` +
      `${blank}.`,
    moveAbsent: (number: number, tile: number, size: string) =>
      `Move ${number} is not possible: a ${size} board has no tile ${tile}.`,
    moveCount: (number: number) => `Move ${number} has too large a count.`,
    moveBlank: (number: number) => `Move ${number} is not possible: 0 is the blank, not a tile.`,
    moveBeside: (tiles: string) => `Beside the blank: ${tiles}.`,

    linkLong: (size: string) => `The link has ${size}; some programs cut links of more than 8 kB.`,
    linkHasSolution: (moves: number) =>
      `The link has ${moves} ${moves === 1 ? "move" : "moves"}, which solve the board. Press Play.`,
    linkHasMoves: (moves: number) =>
      `The link has ${moves} ${moves === 1 ? "move" : "moves"} of this board. Press Play.`,
    linkBadMoves: (found: string) => `The moves in the link cannot be played. ${found}`,
    linkCutMoves: (all: number, found: number) =>
      `The link was cut off: it had ${all} moves, and ${found} are left.`,
    linkMovesAlone: "The link has moves, but no board for them.",
    linkHasPicture: (name: string) => `The link has a picture: ${name}.`,
    linkBadPicture: "The picture in the link has no address that can be used.",
    linkUsePicture: "Use it",
    notText: "This is not a text file.",
    share: "Share",
    shareBoard: "Share the board",
    shareGame: "Share my game",
    boardNumbers: "Numbers left",
    boardMissing: (count: number) => `${count} numbers are missing.`,
    boardBlank: "Gap",
    boardClear: "Clear",
    numberMissing: (tile: number) => `${tile} is missing.`,
    writeBlank: "One number is missing. Write 0 for the gap.",
  },

  solve: {
    pause: "Pause",
    play: "Play",
    playAgain: "Play again",
    playMeanwhile: "Play the best so far",

    solution: "Solution",
    modes: { optimal: "Shortest", strategic: "Step by step", anytime: "Quick" },
    modeWords: {
      optimal: "A proved shortest solution.",
      strategic: "Tile by tile, as people do it: at once, with each step named.",
      anytime: "A solution at once, then shorter ones until the time is over.",
    },
    optimalLarge:
      "On this size the proof can take hours; meanwhile a longer solution can be played.",
    time: "Time",
    findAll: "Find all shortest solutions",
    oneMove: "One move slides",
    metrics: { single: "One tile", multi: "A line of tiles" },
    /** Additions to the name of a mode, such as "Optimal, all". */
    all: "all",
    lines: "lines",

    promises: {
      optimal: "Finds a shortest solution.",
      all: "Finds all shortest solutions.",
      strategic: "Finds a solution that is easy to follow.",
      anytime: (time: string) => `Finds a short solution in ${time}.`,
    },
    best: "Best",
    bound: "Bound",
    nodes: "Nodes",
    rate: "Nodes/s",
    wayFromHere: "Finding the way from here.",
    isSolved: "The board is solved. Shuffle it to begin.",
    noSolution: "This board has no solution.",
    forecast: (bound: string, time: string) =>
      `The bound ${bound} needs about ${time} more at this speed.`,
    forecastLate: (bound: string) => `The bound ${bound} takes longer than forecast.`,
    forecastSoon: "A forecast follows when more bounds are proved.",
    proof: (time: string) => `Without a shorter solution, the proof takes about ${time}.`,
    proofNever: "Without a shorter solution, the proof takes more than a thousand years.",

    stopped: "Stopped.",
    stoppedByPlayer: "Stopped because you continued to play.",
    cancelled: "Cancelled.",
    searching: "Searching.",
    bestSoFar: (moves: string) => `Best so far: ${moves}.`,
    noneShorter: (moves: string) => `No solution is shorter than ${moves}.`,
    solved: (outcome: string) => `Solved: ${outcome}`,

    moves: (count: number, shown: string) => (count === 1 ? `${shown} move` : `${shown} moves`),
    isOptimal: (moves: string) => `${moves}: no solution is shorter.`,
    atLeast: (moves: string, bound: string) =>
      `${moves}; a shortest solution has at least ${bound}.`,
    mayBeLonger: (moves: string) => `${moves}; shorter solutions may exist.`,
    onlyOne: "It is the only one.",
    ofThem: (count: string) => `There are ${count} of them.`,
    nodeCount: (count: number, shown: string) => (count === 1 ? `${shown} node` : `${shown} nodes`),
    wayAsShort: "Your way is as short.",
    wayLonger: (moves: string) => `Your way is ${moves} longer.`,
    wayShorter: (moves: string) => `Your way is ${moves} shorter.`,

    ofSolutions: (count: string) => `of ${count}`,
    firstSolutions: (count: string) => `; the first ${count} are here`,

    moveList: "Moves",
    toStart: "To the start",
    stepBack: "One move back",
    stepOn: "One move on",
    toEnd: "To the end",
    move: "Move",
    moveOf: (move: number, total: number) => `Move ${move} of ${total}`,
    notation: "Moves as",
    notations: { tile: "Tiles: L U", blank: "Blank: R D", numbers: "Numbers: 9 13" },
    copy: "Copy the moves",
    copied: "The moves are copied.",
    stepOf: (step: number, total: number) => `Step ${step} of ${total}`,
    steps: {
      place: (tile: number, row: number, column: number) =>
        `place tile ${tile} at row ${row} column ${column}`,
      corner: (tiles: string) => `turn tiles ${tiles} into their corner together`,
      finish: (tiles: string) => `bring the last tiles into order: ${tiles}`,
      slide: "slide the tiles along the line",
    },
    and: (list: string, last: string) => `${list} and ${last}`,

    units: { million: "M", billion: "G" },
    durations: {
      days: (count: string) => `${count} days`,
      years: (count: string) => `${count} years`,
    },
    limit: "No solution was found in that time.",
    next: (move: string) => `Next: ${move}`,
  },

  paper: {
    print: "Print",
    animation: "Save as animation",
    saved: (file: string) => `Saved ${file}, an animated picture for browsers.`,
    failed: "The solution could not be saved or printed: too little memory, or a file is missing.",
    boardTitle: (size: string) => `Sliding-tile puzzle ${size}`,
    solutionTitle: (size: string) => `Sliding-tile puzzle ${size}: a solution`,
    stepsAndMoves: "Steps and moves",
    after: (moves: number) => `After ${moves} ${moves === 1 ? "move" : "moves"}`,
    singles: "A move slides one tile by one cell.",
    runs: "A move slides one or more tiles of a row or column by one cell.",
    reading: "5← means: tile 5 goes left. Rows are numbered by their first move.",
    drawings: (every: number) => `The board is drawn after every ${every} moves.`,
    fewDrawings: (every: number) =>
      `The solution is long: the board is drawn only after every ${every} moves.`,
    solved: "This board is solved.",
    unsolved: "Slide tiles into the blank until the board looks like the goal.",
  },

  play: {
    title: "Best times",
    solved: "Solved",
    inMoves: (moves: number) => `in ${moves} ${moves === 1 ? "move" : "moves"}`,
    helped: "with the solver's help",
    newFastest: "New best time",
    newShortest: "Fewest moves so far",
    inspecting: (seconds: number) => `${seconds} s`,
    inspectionLeft: (seconds: number) => `${seconds} seconds until the clock starts`,
    inspection: "15 seconds to look at a new board before the clock starts",
    list: "Size and goal",
    bestTime: "Best time",
    fewestMoves: "Fewest moves",
    none: "No results yet. Shuffle a board and solve it.",
    rule:
      "A game counts once, on a board that Shuffle drew at random, without hints or the solver.",
    remove: "Delete all",
    confirm: "Delete all best times and fewest moves?",
    removed: "Results deleted.",
  },

  advice: {
    always: "Always show the next move",
    solved: "The board is solved.",
    waiting: "Waiting for the search for a solution.",
    looking: "Looking for the best moves.",
    far: (moves: string) => `The goal is ${moves} away.`,
    tile: (tile: number) => `tile ${tile}`,
    tiles: (list: string) => `tiles ${list}`,
    ways: { U: "up", D: "down", L: "left", R: "right" },
    game: "Your game",
    rate: "Rate my game",
    rateAgain: "Rate again",
    preparing: "Preparing the tables",
    judging: (moves: string, nodes: string) => `Judging ${moves}: ${nodes} nodes`,
    noMoves: "Make some moves first.",
    soFar: (moves: string) => `${moves} so far`,
    whereLost: "Where moves were lost",
    showBefore: "Show the board before this move",
    better: (move: string) => `; better ${move}`,
    isOld: "You have made other moves since. Rate again to include them.",
    unknown: (size: string, moves: string) =>
      `Shortest distances of ${size} boards are seldom proved, so this game cannot be rated. ` +
      `The shortest known solution from its start has ${moves}.`,
    unproved: (moves: string) =>
      "The shortest distances could not be proved in time, so this game cannot be rated. " +
      `The shortest known solution from its start has ${moves}.`,
    allOptimal: (moves: string) => `Played optimally: ${moves}.`,
    kept: (kept: number, moves: string, lost: string) =>
      `${kept} of ${moves} were best; the others cost ${lost} more.`,
    partly: (judged: number, moves: string, kept: number, lost: string) =>
      `${judged} of ${moves} can be judged: ${kept} were best, the rest cost ${lost} more. ` +
      "The others are not known on this size.",
    lostAt: (number: number, lost: number) => `Move ${number}: ${lost} lost`,
    chart: "Moves to the goal after each move",
    chartLost: "lost:",
    hintLeft: (move: string, left: string) => `${move}; ${left} left.`,
    hintAtMost: (move: string, left: string) => `${move}; at most ${left} left.`,
    intro: "Marks the tile to move on the board.",
  },

  guide: {
    title: "Learn to solve it",
    intro: "Step by step on your own board: what to do next, why, and how if you ask.",
    start: "Show me how",
    stop: "End the guide",
    done: "The board is solved, step by step. Shuffle for another one.",
    noSolution: "This board has no solution. Swap two tiles first.",
    row: (row: number) => `Row ${row}`,
    column: (column: number) => `Column ${column}`,
    lastTiles: "The last tiles",
    corners: {
      topLeft: "the top left corner",
      topRight: "the top right corner",
      bottomLeft: "the bottom left corner",
      bottomRight: "the bottom right corner",
    },
    cornerPlace: (corner: string, place: string) => `${corner} (${place})`,
    bring: (tile: number, place: string) => `Bring tile ${tile} to ${place}.`,
    bringPair: (tiles: string, line: string) => `Bring tiles ${tiles} into the end of ${line}.`,
    inRow: (row: number) => `row ${row}`,
    inColumn: (column: number) => `column ${column}`,
    bringLast: (tiles: string) => `Bring the last tiles into order: ${tiles}.`,
    now: "From here",
    park: (tile: number, place: string) => `Tile ${tile} to ${place}, for now.`,
    home: (tile: number, place: string) => `Tile ${tile} to ${place}: there it stays.`,
    turn: (tiles: string) => `Tiles ${tiles} into the corner, one after the other.`,
    order: "The rest into order.",
    away: (tiles: string) => `Away from their places for now: ${tiles}.`,
    showMoves: "Show the moves",
    hideMoves: "Hide the moves",
    makeMoves: "Make the moves",
    movesOf: (moves: string) => `${moves} for this step`,
    why: "How this works",
    next: (words: string) => `Done. Next: ${words}`,
    ahead: (words: string) => `Now: ${words}`,
    fillRow: "Bring the blank to the side where the tile must go, slide the tile, lead it around.",
    fillColumn:
      "A column is filled like a row: tile by tile from one end, past the tiles that are done.",
    lastTwo:
      "Put one tile in the other's place and the other right behind it: both then slide into line.",
    lastFour:
      "Move the blank round and round: after at most three rounds the three tiles are in place.",
    lastSix: "First solve the two tiles at the outer end, then turn the square of four.",
    slide: "The tray has one line: slide the tiles along it.",
  },

  picture: {
    chooseFile: "Choose a file",
    orDrop: "or drop one anywhere, or paste one",
    file: "Picture file",
    builtins: "Included pictures",
    names: { lake: "Lake", sunflower: "Sunflower", glass: "Glass" },
    address: "Address of a picture",
    load: "Load",
    use: "Use this picture",
    another: "Another picture",
    remove: "Remove the picture",
    stays: "The picture stays on this machine.",
    drop: "Drop the picture anywhere",
    reading: "Reading the picture",
    loading: "Loading the picture",
    solved: "Solved, it looks like this. Touch the piece to leave out.",
    preview: "The picture cut into tiles",

    crop: "Crop: drag the picture, or use arrow keys. Wheel, two fingers, + and - zoom.",
    pixels: (width: number, height: number) => `${width}x${height} pixels`,

    unreadable: "This picture could not be read. Save it as JPEG or PNG.",
    noMemory: "This browser has no memory left for a picture.",
    notKept: "This browser could not keep the picture: too little memory.",
    notDrawn: "The picture could not be drawn: too little memory.",
    notStored: "The browser's storage is full or denied: the picture stays only for this visit.",
    foreign: "This browser cannot use this picture. Save it as JPEG or PNG.",
    empty: "This file is empty: it has no picture in it.",
    tooManyBytes:
      (size: string, most: string) => `This file has ${size}; at most ${most} can be read.`,
    fileGone: "This file cannot be read. Is it still there?",
    animated: "This picture is animated; its first frame is used.",
    truncated: "This JPEG file is truncated: a part of the picture is missing.",
    heic: "This browser cannot read HEIC pictures. Save it as JPEG.",
    tiff: "Browsers do not read TIFF pictures. Save it as JPEG or PNG.",
    damaged:
      (format: string) => `This ${format} picture is damaged or incomplete: it cannot be read.`,
    svgDamaged: "This SVG picture is damaged: it cannot be read.",
    notPicture: "This is not a picture that a browser can read. Save it as JPEG or PNG.",
    tooSmall:
      (size: string, least: number) => `This picture has ${size}, less than ${least}x${least}.`,
    tooNarrow: (size: string) => `This picture has ${size}: too narrow to be cut into tiles.`,
    tooLarge: (size: string) => `This picture has ${size}, more than this browser can read.`,
    notAddress: "This is not the address of a picture, such as https://example.org/cat.jpg",
    answers:
      (host: string, status: number) => `${host} answers ${status}: no picture is at this address.`,
    isPage: "This is the address of a page. Copy the address of the picture itself.",
    noAnswer:
      (host: string, seconds: number) => `${host} did not answer within ${seconds} seconds.`,
    offline: "There is no connection. A picture from a file works without one.",
    forbidden:
      (origin: string) => `This page may not load from ${origin}. Save the picture as a file.`,
    unreachable: (host: string) => `${host} cannot be reached, or does not share its pictures.`,
    dataDamaged: "This data: address is damaged: it cannot be read.",
    missing: "The missing piece",
  },

  laboratory: {
    compare: "Many boards",

    unsolvable: "This board has no solution. Swap two tiles first.",
    reading: "Reading the board …",
    lead: "A heuristic is a lower bound of the moves. Choose one to see its terms.",
    trueDistance: "True distance",
    findDistance: "Find it",
    onlySingleMoves: "measured for moves of one tile only",
    notFound: (seconds: number, least: number, most: number) =>
      `not found within ${seconds} seconds; it is from ${least} to ${most}`,
    noTerms: "It has no terms on this board.",
    moreTerms: (count: string) => `and ${count} more`,
    consistent: "Consistent: a move never changes it by more than 1.",
    notConsistent: "Not consistent: a move may change it by more than 1.",

    noHeuristic: "no heuristic",
    database: (name: string) => `Pattern database ${name}`,
    heuristics: {
      zero: "Zero",
      misplaced: "Misplaced tiles",
      manhattan: "Manhattan distance",
      "linear-conflict": "Linear conflict",
      "inversion-distance": "Inversion distance",
      "walking-distance": "Walking distance",
    },
    heuristicSentences: {
      zero: "Uses no information: 0 for every board.",
      misplaced: "Counts the tiles that are not at home: each has to move at least once.",
      manhattan: "Adds up the columns and rows between each tile and its home.",
      "linear-conflict":
        "Manhattan distance, plus 2 for each tile that must leave its line to let others pass.",
      "inversion-distance":
        "Counts pairs of tiles in the wrong order: a move corrects only a few of them.",
      "walking-distance":
        "Exact distance in a simpler puzzle, in which the tiles of a line look alike.",
    },
    databaseSentence: "Exact distances of a few tiles each, from tables. The largest sum counts.",
    searches: {
      astar: "A*",
      "ida-star": "IDA*",
      "weighted-astar:1.5": "Weighted A*, 1.5",
      greedy: "Greedy best-first",
      bidirectional: "Bidirectional (NBS)",
      "breadth-first": "Breadth-first",
    },
    searchSentences: {
      astar: "Expands the fewest nodes, and keeps all of them in memory.",
      "ida-star": "Keeps only one path in memory, and visits boards again and again.",
      "weighted-astar:1.5":
        "Fewer nodes than A*; solutions at most 1.5 times as long as the shortest.",
      greedy: "Follows the heuristic alone: quick, with long solutions.",
      bidirectional: "Searches from the board and from the goal until both meet.",
      "breadth-first": "In all directions at once, without a heuristic.",
    },

    boards: "Boards",
    random: "Random",
    walks: "After random moves",
    sizes: "Sizes",
    moves: "Random moves",
    numberForEach: "Boards for each",
    numberOfSize: "Boards of each size",
    heuristicChoice: "Heuristics",
    searchChoice: "Searches",
    more: "Limits and more",
    maxNodes: "Nodes per search, at most",
    maxMemory: "Memory per search, MB",
    maxTime: "Seconds per search",
    noLimit: "no limit",
    seed: "Seed",
    others: "More pattern databases: groups of tiles such as 5-3",
    run: "Run",
    link: "Link",
    searchCount: (count: string, isOne: boolean) => `${count} ${isOne ? "search" : "searches"}`,

    noSize: "Choose at least one size.",
    noSearch: "Choose at least one search.",
    noHeuristicOf: (size: string) => `Choose at least one heuristic that ${size} boards have.`,
    tooMany:
      (runs: string, most: string) => `These are ${runs} searches; at most ${most} fit in one run.`,
    wrong: (title: string, least: string, most: string) => `${title}: from ${least} to ${most}.`,
    wrongMoves: "Random moves are whole numbers such as 10, 30, 50.",

    finished: "Searches finished",
    progress: (finished: string, runs: string) => `${finished} of ${runs} searches`,
    now: (search: string, boards: string) => `; now ${search}, ${boards}`,
    stopped: (finished: string, runs: string) =>
      `Stopped after ${finished} of ${runs} searches; their results stay.`,
    done: (finished: string, seconds: string) => `${finished} searches in ${seconds} seconds.`,
    plotsOf: "Plots of these boards",

    randomBoards: (size: string) => `${size}, random`,
    walkedBoards: (size: string, moves: string) => `${size}, ${moves} moves`,

    series: "Series of the plot",
    download: "Download as SVG",
    downloadPlot: "Download this plot as SVG",
    plotFailed: "The plots cannot be drawn",
    leftOut: (unknown: number, boards: number) =>
      `Boards of unknown length are left out: ${unknown} of ${boards}.`,
    notes: {
      nodes: "Pale: boards; solid: the median of a length; arrow: at least, ended by a limit.",
      spread: "Arrow: a limit ended searches; they need at least this many nodes.",
      time: "Arrow: a limit ended searches; they need at least this long.",
      solved: "",
      h: "The area of a bubble is the number of boards; the line is the mean.",
      "walk-nodes": "Arrow: a limit ended searches; their mean is at least this.",
      "walk-length": "Only boards that were solved.",
    },
    /** Keys are the names of the package's plots. */
    plots: {
      nodes: "nodes by length of the solution",
      spread: "nodes",
      time: "time",
      solved: "boards solved within a time",
      h: "value of the heuristic by true distance",
      "walk-nodes": "mean nodes by random moves",
      "walk-length": "length of solutions by random moves",
      and: ", ",
      mean: "mean",
      shortest: "shortest",
      limit: "{} of {} at a limit",
      generated: "nodes generated",
      length: "moves of the solution",
      "shortest-length": "moves of a shortest solution",
      ms: "milliseconds",
      share: "boards solved",
      distance: "true distance in moves",
      value: "value of the heuristic",
      walk: "random moves",
      admissible: "admissible: never above the distance",
      "as-many": "as many moves as random ones",
      boxes: "Box: the middle half; thick line: the median; ends: least, largest; arrow: at least.",
      counts: "boards:",
    },

    table: "Table",
    columns: {
      both: "Search and heuristic",
      solved: "Solved",
      meanLength: "Length, mean",
      meanH0: "Value at the start",
      meanGenerated: "Generated, mean",
      medianGenerated: "Generated, median",
      meanExpanded: "Expanded, mean",
      medianExpanded: "Expanded, median",
      meanMs: "ms, mean",
      medianMs: "ms, median",
      branchingFactor: "Branching factor",
    },
    limits: { nodes: "nodes", memory: "memory", time: "time" },
    over: (count: string, limit: string) => `${count} at the limit of ${limit}`,
    solvedOf: (solved: string, runs: string) => `${solved} of ${runs}`,
    lowerBounds: "≥: at least this number, because a limit ended some searches.",
    allAsCsv: (count: string) => `All ${count} searches as CSV`,
    anyDatabase: "Pattern database",
    searched: "All heuristics have searched the board.",
    nodesOf: (nodes: string) => `${nodes} nodes`,
    ended: (nodes: string) => `ended at ${nodes} nodes`,
    countNodes: "Count nodes",
    searchWith: "with",
    playPath: (heuristic: string) => `Play the path of ${heuristic}`,
    linear: "Linear scale for nodes",
    timesWords: "× compares with the fewest nodes. A search ends at 100 times as many, but not " +
      "below 100,000, or after a minute.",
    tables: "Pattern databases",
  },

  tables: {
    lead: "A pattern database is a table of the exact distances of some tiles, computed in advance.",
    starting: "Starting the solver",
    building: (table: number, tables: number) => `Building table ${table} of ${tables}`,
    partition: "Partition",
    none: "none",

    manhattan: "No tables: the search estimates by Manhattan distance.",
    sum: (bytes: string, tables: number, time: string) =>
      `${bytes} in ${tables === 1 ? "one table" : `${tables} tables`}, built or loaded in ${time}.`,

    pattern: (tiles: string) => `Pattern of tiles ${tiles}`,
  },

  about: {
    lead:
      "Play sliding-tile puzzles, find shortest solutions, see how solving works; offline, too.",
    keys: "Keys",
    keyNames: { shift: "Shift", arrow: "arrow", control: "Ctrl", space: "Space", escape: "Esc" },
    arrowKeys: "move a tile that way into the blank",
    letterKeys: "the same",
    lineKeys: "move the whole line",
    undoKeys: "take a move back",
    redoKeys: "make it again",
    playKeys: "play and pause a solution",
    stepKeys: "step back and on in a solution",
    tabKey: "go from the board to the buttons and back",
    escapeKey: "close the panel or the dialog",
    pointer: "Or click, tap or drag: a tile further off takes its whole line along.",
    privacy: "Privacy",
    privacyText: "Nothing leaves this machine. Games, settings and pictures stay in this browser.",
    licences: "Licences",
    licencesText: "Free software, under the MIT licence or the Apache licence 2.0, as you choose.",
    version: (version: string) => `sliding-tile-pdb version ${version}`,

    shipped: "Everything that is shipped with it",
  },

  notices: {
    close: "Close message",
    closeDialog: "Close",
    cancel: "Cancel",
    loading: "Loading",
    notLoaded: "This part of the page could not be loaded. Check the connection and open it again.",
    fault: "This panel failed; the board is not affected.",
    openAgain: "Open it again",
    copyTitle: "Copy this text",
    copyByHand: "The browser does not let the page copy: select all of it and copy.",
    newVersion: "There is a new version of this page.",
    useIt: "Use it",
    page: "Sliding tiles",
    picture: "Picture",
    pictureLong: "A picture on the tiles",
  },

  errors: {
    /** Remedies by error code, for messages that do not name a remedy. */
    remedies: {
      memory: "Choose a smaller partition, or no tables.",
      download: "Check the connection, then try again.",
      unsupported: "A newer browser is needed.",
    },
    offline: "There is no connection, and this part of the page was not used here before.",
    unknown: "Something went wrong; no reason was given.",
    tablesCancelled: "Making the tables was cancelled.",
    /** Partitions in the list of tables. */
    partitions: {
      none: "no tables, no memory",
      runs: "tables for lines of tiles",
      usual: "usual for this size",
      one: "one table: exact distances",
      two: "two tables",
      fringe: "one table: the first row and column",
      "6-6-3": "at once, 3 MB",
      small: "three times 6-6-3, 7 MB, fewer nodes",
      "5-5-5": "at once, 0.3 MB, more nodes",
      "7-8": "ten seconds, 196 MB, fewest nodes",
    },
  },
};

type Texts<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: never[]) => string
      ? T[K]
      : Texts<T[K]>;
};

/** Contents of a language file: the same keys, and functions with the same arguments. */
export type Language = Texts<typeof en>;
