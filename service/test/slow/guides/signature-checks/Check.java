// Reads a case a line, as the test writes them, and answers true, false or error.
import java.io.*;
import java.util.*;

class Check {
    static final String[] NAMES = {"webhook-id", "webhook-timestamp", "webhook-signature", "authorization"};

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] parts = line.split("\t", -1);
            Map<String, String> headers = new HashMap<>();
            for (int at = 0; at < NAMES.length; at++) {
                if (!parts[at].isEmpty()) headers.put(NAMES[at], parts[at]);
            }
            byte[] body = Base64.getDecoder().decode(parts[4]);
            try {
                System.out.println(Webhooks.isGenuine(headers, body, args[0], args[1], parts[5]));
            } catch (IllegalArgumentException refusal) {
                System.out.println("error");
            }
        }
    }
}
