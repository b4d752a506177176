export { createTestService, } from './create-test-service.js';
