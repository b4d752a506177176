import type { Client } from './client.js';
import { type ClientOptions } from './client-options.js';
/**
 * Makes the client of one merchant in one environment. Use it on your server only: its credentials
 * can create payment requests in your name. Make one client and share it.
 *
 * The client requests access tokens and keeps them. The client retries network faults, 429 and 5xx,
 * never before `Retry-After`. Every POST carries an idempotency key, so that the service does a
 * repeated call once.
 *
 * @throws InvalidArgumentError when an option is missing or out of range
 * @example
 * const client = createClient({
 *   baseUrl: 'https://pay.example.com/v1',
 *   authUrl: 'https://pay.example.com/oauth2/token',
 *   username: 'prd_username',
 *   password: 'prd_password',
 *   apiKey: 'prd_api_key',
 * });
 */
export declare function createClient(options: ClientOptions): Client;
