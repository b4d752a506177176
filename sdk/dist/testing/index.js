"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTestService = void 0;
var create_test_service_ts_1 = require("./create-test-service.js");
Object.defineProperty(exports, "createTestService", { enumerable: true, get: function () { return create_test_service_ts_1.createTestService; } });
