// All flows in one process, with one server and one browser: node --test tests/browser.mjs
import "./flows/play.mjs";
import "./flows/board.mjs";
import "./flows/moves.mjs";
import "./flows/lists.mjs";
import "./flows/goal.mjs";
import "./flows/solve.mjs";
import "./flows/cancel.mjs";
import "./flows/advice.mjs";
import "./flows/picture.mjs";
import "./flows/laboratory.mjs";
import "./flows/tables.mjs";
import "./flows/visit.mjs";
import "./flows/threads.mjs";
import "./flows/phone.mjs";
import "./flows/access.mjs";
import "./flows/views.mjs";
import "./flows/zoom.mjs";
