import PluginKit

/// Kinds of error of external plugins. Codes that a plugin throws itself begin with `E-` and its name.
enum ForeignErrors {
    static let manifest = ErrorKind(
        "E-PLUGIN-MANIFEST", "plugin.json cannot be used",
        explanation: """
            A plugin is a folder with a file plugin.json: {"name","version","protocol":1,"command":["python3","main.py"],\
            "summary"}. `plugin new NAME` writes a working folder.
            """)
    static let declaration = ErrorKind(
        "E-PLUGIN-DECLARATION", "invalid declarations of a plugin",
        explanation: """
            The answer to `initialize` has an invalid command, parameter, type or example; the message names it. \
            `plugin test PATH` checks all of them.
            """)
    static let untrusted = ErrorKind(
        "E-PLUGIN-UNTRUSTED", "the plugin is not trusted",
        explanation: """
            A plugin is a program that runs with your permissions. It runs only after `plugin trust`, which stores a hash of \
            its files; after a change it must be trusted again.
            """)
    static let confined = ErrorKind(
        "E-PLUGIN-CONFINED", "plugins are not allowed here",
        explanation:
            "A notebook can run plugins only if `rutter test` or `rutter run` has --allow-plugins.")
    static let unknown = ErrorKind(
        "E-PLUGIN-UNKNOWN", "no such plugin",
        explanation: "`plugin list` lists installed and loaded plugins.")
    static let start = ErrorKind(
        "E-PLUGIN-START", "a plugin cannot be started",
        explanation: "The program named by `command` in plugin.json is missing or not executable.")
    static let timeout = ErrorKind(
        "E-PLUGIN-TIMEOUT", "a plugin took too long",
        explanation: """
            It did not answer within its time: 5s to start, 60s for a call, or the `timeout` in seconds of its plugin.json; \
            progress and rows count as part of the call. \
            It was terminated with its children; the next call restarts it.
            """)
    static let ended = ErrorKind(
        "E-PLUGIN-ENDED", "a plugin ended during a call",
        explanation: """
            It crashed or exited during a request. The message has the last line that it wrote to its standard \
            error. The next call restarts it.
            """)
    static let answer = ErrorKind(
        "E-PLUGIN-ANSWER", "a plugin violated the protocol",
        explanation: """
            It wrote a line that is not a message of the protocol, does not belong to the request, or is not \
            what its command declares. If it lost synchronisation, it was terminated, and the next call restarts \
            it. `plugin test PATH` shows details.
            """)
    static let flood = ErrorKind(
        "E-PLUGIN-FLOOD", "a plugin wrote too much",
        explanation:
            "A message, all messages of a call, or its requests to the host exceeded their limits. It was terminated."
    )
    static let failed = ErrorKind(
        "E-PLUGIN-FAILED", "a plugin reports an error",
        explanation: "The message is the plugin's, without a code or with one of another prefix.")
    static let busy = ErrorKind(
        "E-PLUGIN-BUSY", "a plugin called itself",
        explanation:
            "A pipeline that a plugin runs through `host/run` cannot use commands of the same plugin.")
    static let folder = ErrorKind(
        "E-PLUGIN-FOLDER", "the folder of a new plugin already exists",
        explanation: "`plugin new` writes a new folder and never overwrites files.")

    static let all = [
        manifest, declaration, untrusted, confined, unknown, start, timeout, ended, answer, flood, failed,
        busy,
        folder,
    ]
}
