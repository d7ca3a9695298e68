import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { start } from "./game/session.svelte.ts";
import { serveOffline } from "./common/offline.ts";

start();
mount(App, { target: document.getElementById("app")! });
serveOffline();
