// Loaded into the service's processes before anything else: what one has stripped of its types and
// compiled, the next one reads. It saves a third of a start's work, and the 20 MB that stripping
// takes. An entry is bound to its file's contents and to the release of Node.js, and replaced when
// either changes. Where the folder cannot be written, such as in an image that is read-only, nothing
// is kept, and everything works.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

enableCompileCache(fileURLToPath(new URL('../../.local/compiled', import.meta.url)));
