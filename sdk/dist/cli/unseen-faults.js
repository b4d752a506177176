"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.unseenFaults = unseenFaults;
exports.unseenInWords = unseenInWords;
function unseenFaults(program) {
    return [
        {
            name: 'a repeat that is worked on twice',
            recipe: `${program} trigger depositDuplicate --webhook-url <url> sends one webhook twice. The ` +
                'order must be released once.',
        },
        {
            name: 'an event that is answered before it is stored',
            recipe: `Let the work on an event wait for a minute. Run ${program} trigger depositSubmit:0 ` +
                '--webhook-url <url>, and end the listener with kill -9 as soon as trigger has ended. ' +
                'Start the listener again: the order must be released, without another webhook.',
        },
    ];
}
function unseenInWords(unseen, url) {
    return [
        'No check from outside sees these two faults. Try both before you trust the listener:',
        ...unseen.map(({ name, recipe }) => `- ${name}: ${recipe.replaceAll('<url>', url)}`),
    ];
}
