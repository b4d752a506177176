"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createListenCursor = createListenCursor;
const node_crypto_1 = require("node:crypto");
const promises_1 = require("node:fs/promises");
const node_path_1 = require("node:path");
function createListenCursor(localDir, { apiUrl, username }) {
    const name = (0, node_crypto_1.createHash)('sha256').update(`${apiUrl} ${username}`).digest('hex').slice(0, 16);
    const path = (0, node_path_1.join)(localDir, 'listen', `${name}.cursor`);
    return {
        async read() {
            try {
                return (await (0, promises_1.readFile)(path, 'utf8')).trim() || null;
            }
            catch {
                return null;
            }
        },
        async keep(cursor) {
            try {
                await (0, promises_1.mkdir)((0, node_path_1.dirname)(path), { recursive: true, mode: 0o700 });
                await (0, promises_1.writeFile)(path, `${cursor}\n`, { mode: 0o600 });
            }
            catch {
            }
        },
    };
}
