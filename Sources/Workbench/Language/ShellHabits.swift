/// Words that people type by habit from a shell, and what does the same here.
enum ShellHabits {
    static let fixes = [
        "cat": "`open FILE` reads a file",
        "cd": "start `rutter` in the folder: paths are relative to it",
        "clear": "Ctrl-L clears the screen",
        "cls": "Ctrl-L clears the screen",
        "cp": "`store copy` copies a store; other files are copied in a shell",
        "echo": "write the value itself: \"text\", or $name",
        "exit": "`quit`, or Ctrl-D",
        "grep": "`where` filters rows: … | where name =~ \"text\"",
        "head": "`first`: … | first 10",
        "less": "long output opens in the pager by itself",
        "logout": "`quit`, or Ctrl-D",
        "ls": "each kind has its list: waypoint list, hike list, route list; Tab completes names of files",
        "man": "`help COMMAND`, or `help WORDS` to search",
        "pwd": "paths are relative to the folder in which `rutter` was started",
        "rm": "each kind has its command: waypoint delete, hike delete, route delete",
        "tail": "`last`: … | last 10",
        "wc": "`count`: … | count",
    ]
}
