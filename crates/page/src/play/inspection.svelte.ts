/** Whether a new board has an inspection before its clock starts; stored for the next visit. */
import { load, save } from "../common/store.ts";

/** Length of the inspection in milliseconds. */
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
