import PluginKit

/// Kinds of error of plugins of others. Those that a plugin throws itself begin with `E-` and its name.
enum ForeignErrors {
    static let manifest = ErrorKind(
        "E-PLUGIN-MANIFEST", "plugin.json cannot be used",
        explanation: """
            A plugin is a folder with a file plugin.json: {"name","version","protocol":1,"command":["python3","main.py"],\
            "summary"}. `plugin new NAME` writes a folder that works.
            """)
    static let declaration = ErrorKind(
        "E-PLUGIN-DECLARATION", "a plugin declares its commands wrongly",
        explanation: """
            The answer to `initialize` names a command, parameter, type or example that cannot be used; the message says \
            which. `plugin test PATH` tries all of them.
            """)
    static let untrusted = ErrorKind(
        "E-PLUGIN-UNTRUSTED", "the plugin is not trusted",
        explanation: """
            A plugin is a program and can do what you can do. It runs only after `plugin trust`, which remembers a hash of \
            its files; a file that changed asks again.
            """)
    static let confined = ErrorKind(
        "E-PLUGIN-CONFINED", "plugins may not run here",
        explanation:
            "A notebook runs plugins only where `rutter test` or `rutter run` was given --allow-plugins.")
    static let unknown = ErrorKind(
        "E-PLUGIN-UNKNOWN", "no such plugin",
        explanation: "`plugin list` lists all that were found or loaded.")
    static let start = ErrorKind(
        "E-PLUGIN-START", "a plugin cannot be started",
        explanation: "The program that plugin.json names under `command` is missing or cannot be run.")
    static let timeout = ErrorKind(
        "E-PLUGIN-TIMEOUT", "a plugin took too long",
        explanation: """
            It did not answer within its time: 5s to start, 60s for a call, or the `timeout` in seconds of its plugin.json; \
            progress and rows count as part of the call. \
            It was ended with all that it had started; the next call starts it again.
            """)
    static let ended = ErrorKind(
        "E-PLUGIN-ENDED", "a plugin ended during a call",
        explanation: """
            It crashed or left while it was asked something. The message has the last line that it wrote to its standard \
            error. The next call starts it again.
            """)
    static let answer = ErrorKind(
        "E-PLUGIN-ANSWER", "a plugin answered nonsense",
        explanation: """
            It wrote something that is not a message of the protocol, that does not belong to the request, or that is not \
            what its command declares to give. Where the conversation was lost it was ended, and the next call starts it \
            again. Its author finds more with `plugin test PATH`.
            """)
    static let flood = ErrorKind(
        "E-PLUGIN-FLOOD", "a plugin wrote too much",
        explanation:
            "A message, all messages of a call, or its requests to the host exceeded their limits. It was ended."
    )
    static let failed = ErrorKind(
        "E-PLUGIN-FAILED", "a plugin reports an error",
        explanation: "The message is the plugin's own, which gave no code or none of its own codes.")
    static let busy = ErrorKind(
        "E-PLUGIN-BUSY", "a plugin called itself",
        explanation:
            "A pipeline that a plugin runs through `host/run` cannot use commands of the same plugin.")
    static let folder = ErrorKind(
        "E-PLUGIN-FOLDER", "the folder of a new plugin exists",
        explanation: "`plugin new` writes a new folder and replaces nothing.")

    static let all = [
        manifest, declaration, untrusted, confined, unknown, start, timeout, ended, answer, flood, failed,
        busy,
        folder,
    ]
}
