/** Whether a new board is looked at before its clock starts; kept for the next visit. */
import { load, save } from "../common/store.ts";

/** Milliseconds. */
export const INSPECTION = 15_000;

let isOn = $state(load("inspection") === true);

export const inspection = {
  get isOn(): boolean {
    return isOn;
  },
  set isOn(on: boolean) {
    isOn = on;
    save("inspection", on);
  },
};
