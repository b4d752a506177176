<?php
// Reads a case a line, as the test writes them, and answers true, false or error.
require __DIR__ . '/webhooks.php';

[, $username, $password] = $argv;
$names = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'authorization'];
while (($line = fgets(STDIN)) !== false) {
    $parts = explode("\t", rtrim($line, "\n"));
    $headers = array_filter(array_combine($names, array_slice($parts, 0, 4)), fn ($value) => $value !== '');
    try {
        $answer = isGenuine($headers, base64_decode($parts[4]), $username, $password, $parts[5]);
        echo $answer ? "true\n" : "false\n";
    } catch (InvalidArgumentException) {
        echo "error\n";
    }
}
