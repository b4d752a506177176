import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './toolchain.mjs';

/** The packages at the root; npm nests those in the service of which a tool has another version. */
const PLACES = ['node_modules', 'service/node_modules'];

/**
 * Leads from a copy of the project, or of its parts, to the checkout's packages.
 * @param {string} folder of the copy; the folders of the places are there
 * @param {readonly string[]} [places] of packages; by default all
 */
export function linkPackages(folder, places = PLACES) {
  for (const each of places.filter((place) => existsSync(join(ROOT, place)))) {
    symlinkSync(join(ROOT, each), join(folder, each), 'dir');
  }
}
