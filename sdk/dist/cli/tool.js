"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ToolFault = exports.InputFault = void 0;
exports.defineTool = defineTool;
exports.flag = flag;
exports.option = option;
exports.fromEnvironment = fromEnvironment;
function defineTool(tool) {
    return tool;
}
function flag(summary) {
    return { summary, placeholder: null, absent: false };
}
function option(placeholder, summary, read) {
    return { summary, placeholder, absent: null, ...(read && { read }) };
}
function fromEnvironment(variable, placeholder, summary) {
    return { summary: `${summary} (env: ${variable})`, placeholder, variable, absent: null };
}
class InputFault extends Error {
}
exports.InputFault = InputFault;
class ToolFault extends Error {
}
exports.ToolFault = ToolFault;
