// Reads a case a line, as the test writes them, and answers true, false or error.
using System;
using System.Collections.Generic;

static class Check {
    static readonly string[] Names = { "webhook-id", "webhook-timestamp", "webhook-signature", "authorization" };

    static void Main(string[] args) {
        for (var line = Console.ReadLine(); line != null; line = Console.ReadLine()) {
            var parts = line.Split('\t');
            var headers = new Dictionary<string, string>();
            for (var at = 0; at < Names.Length; at++) if (parts[at] != "") headers[Names[at]] = parts[at];
            try {
                var body = Convert.FromBase64String(parts[4]);
                Console.WriteLine(Webhooks.IsGenuine(headers, body, args[0], args[1], parts[5]) ? "true" : "false");
            } catch (ArgumentException) {
                Console.WriteLine("error");
            }
        }
    }
}
