export function writeQuery(parameters) {
    const query = new URLSearchParams();
    for (const [name, values] of Object.entries(parameters)) {
        for (const value of [values].flat()) {
            if (value === undefined)
                continue;
            query.append(name, value instanceof Date ? value.toISOString() : String(value));
        }
    }
    const text = query.toString();
    return text === '' ? '' : `?${text}`;
}
