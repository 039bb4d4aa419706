/// Settings files of the kinds that people have, made up.
///
/// Each has what programs of its kind write: their comments, quotes, indentation and odd values.
enum SettingsCorpus {
  struct File: Sendable {
    var kind: String
    var format: String
    var text: String
    /// Keys that cannot be read, and are left out.
    var leftOut: [String] = []
  }

  static let files: [File] = json + yaml + toml + lists + lines

  private static let json: [File] = [
    File(
      kind: "an editor with comments and a language's section", format: "json",
      text: """
        // Place your settings in this file to overwrite the default settings
        {
            "editor.fontFamily": "'Fira Code', monospace", // ligatures
            "editor.fontSize": 13.5,
            "editor.rulers": [80, 120],
            /* "editor.minimap.enabled": false, */
            "files.exclude": {
                "**/.git": true, // keep
                "**/*.pyc": { "when": "$(basename).py" },
            },
            "[python]": {
                "editor.defaultFormatter": null,
                "editor.tabSize": 4
            },
            "terminal.integrated.env.linux": {}
        }

        """),
    File(
      kind: "an editor with a trailing comma and tabs", format: "json",
      text:
        "{\n\t\"theme\": {\n\t\t\"mode\": \"system\",\n\t\t\"light\": \"One Light\",\n\t},\n\t\"vim_mode\": true,\n"
        + "\t\"buffer_font_size\": 15.0,\n\t\"lsp\": { \"rust-analyzer\": { \"binary\": { \"path\": \"~/x\" } } },\n}\n"
    ),
    File(
      kind: "a terminal with profiles in a list", format: "json",
      text:
        "{\r\n    \"$schema\": \"https://example.org/profiles-schema\",\r\n    \"defaultProfile\": \"{574e775e-4f2a-5b96-ac1e-a2962a402336}\",\r\n"
        + "    // If enabled, selections are automatically copied.\r\n    \"copyOnSelect\": false,\r\n    \"profiles\": {\r\n"
        + "        \"defaults\": { //\"fontFace\": \"Old\"\r\n            \"fontFace\": \"New\"\r\n        },\r\n"
        + "        \"list\": [\r\n            { \"guid\": \"{61c54bbd}\", \"hidden\": false },\r\n            { \"guid\": \"{0caa0dad}\", \"hidden\": true }\r\n        ]\r\n    }\r\n}\r\n"
    ),
    File(
      kind: "a workspace with folders", format: "code-workspace",
      text: """
        {
          "folders": [ { "path": "." }, { "path": "../lib" } ],
          "settings": { "window.zoomLevel": -1, },
        }
        """),
    File(
      kind: "an editor that allows no comment, compact", format: "json",
      text:
        #"{"font_face":"Menlo","font_size":12,"ignored_packages":["Vintage"],"scroll_speed":0.0,"id":9007199254740993}"#
    ),
    File(
      kind: "a keyboard tool with deep lists", format: "json",
      text: """
        {
            "global": { "check_for_updates_on_startup": true, "unsafe_ui": false },
            "profiles": [
                {
                    "complex_modifications": { "rules": [] },
                    "devices": [ { "identifiers": { "vendor_id": 1452, "is_keyboard": true } } ],
                    "name": "Default profile"
                }
            ]
        }

        """),
    File(
      kind: "a formatter with a mark of the byte order", format: "json",
      text: "\u{FEFF}{\n  \"printWidth\": 100,\n  \"singleQuote\": true\n}"),
    File(
      kind: "a package of a web project", format: "json",
      text:
        "{\n  \"//\": \"a comment as a key\",\n  \"name\": \"demo\",\n  \"version\": \"1.10.0\",\n  \"engines\": {\n    \"node\": \">=20\"\n  }\n}\n"
    ),
    File(
      kind: "a state file with long numbers", format: "json",
      text:
        "{\n  \"deviceId\": 18446744073709551615,\n  \"lat\": 47.3768866000000012,\n  \"ratio\": 1E-7,\n  \"negZero\": -0.0,\n  \"count\": 0\n}\n"
    ),
    File(
      kind: "a compiler's settings with comments at the ends of lines", format: "json",
      text:
        "{\n  \"compilerOptions\": {\n    \"target\": \"es2022\", /* language */\n    // \"lib\": [],\n    \"strict\": true /* all */\n  },\n  \"include\": [\"src\"]\n}\n"
    ),
  ]

  private static let yaml: [File] = [
    File(
      kind: "a house with tags and includes", format: "yaml",
      text: """
        # Loads default set of integrations. Do not remove.
        default_config:

        homeassistant:
          name: Home
          unit_system: metric
          latitude: 47.37
          customize: !include customize.yaml
        http:
          use_x_forwarded_for: yes
          trusted_proxies:
            - 10.0.0.200      # proxy
            - ::1
        input_boolean:
          guest: {name: Guest, initial: off}
        logger:
          default: info

        """, leftOut: ["default_config", "homeassistant"]),
    File(
      kind: "containers with anchors and merges", format: "yaml",
      text: """
        x-base: &base
          restart: unless-stopped
          logging: {driver: json-file}
        services:
          web:
            <<: *base
            image: "nginx:1.27"
            ports: ["8080:80", "22:22"]
            environment:
              - DEBUG=0
        version: "3.9"

        """),
    File(
      kind: "tasks with octal modes and words", format: "yaml",
      text:
        "---\nbecome: yes\nmode: 0644\nmode2: '0644'\nwhen: inventory_hostname == 'a'\nretries: 3\n"
    ),
    File(
      kind: "a pipeline that begins with on", format: "yaml",
      text:
        "name: ci\non:\n  push:\n    branches: [ main ]\njobs:\n  build:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: |\n          make\n          make test\nenv: {CI: 1}\n"
    ),
    File(
      kind: "a terminal with colours and anchors", format: "yml",
      text:
        "window:\n  opacity: 0.95\n  padding:\n    x: 2\nfont:\n  size: 11.0\nschemes:\n  dark: &dark\n    primary: {background: '0x1d1f21'}\ncolors: *dark\nlive_config_reload: true\n"
    ),
    File(
      kind: "a site with folded texts", format: "yaml",
      text:
        "title: A site\ndescription: >- # this means to ignore newlines\n  Some words\n  and more.\nbaseurl: \"\"\nurl: \"https://example.org\"\npermalink: /:year/:title/\nplugins:\n  - feed\n  - seo # tags\n"
    ),
    File(
      kind: "hooks with revisions", format: "yaml",
      text:
        "repos:\n-   repo: https://example.org/hooks\n    rev: v4.5.0\n    hooks:\n    -   id: trailing-whitespace\n    -   id: check-yaml\n        args: [--allow-multiple-documents]\nfail_fast: false\n"
    ),
    File(
      kind: "a formatter of code", format: "yaml",
      text:
        "# Style\nBasedOnStyle: Google\nColumnLimit: 100\nAlignTrailingComments: Yes\nLanguage: Cpp\n"
    ),
    File(
      kind: "a linter with lists of rules", format: "yml",
      text:
        "disabled_rules:\n  - todo\nline_length:\n  warning: 120\n  ignores_urls: true\nexcluded: [Pods, .build]\n"
    ),
    File(
      kind: "times and sizes", format: "yaml",
      text:
        "start: 07:30\nend: 23:59:59\nday: 2026-11-21\nstamp: 2026-11-21T08:00:00Z\nbig: 1_000_000\nhex: 0x1F\nnothing: ~\nver: 1.10\n",
      leftOut: ["nothing"]),
    File(
      kind: "keys with spaces, letters and quotes", format: "yaml",
      text: "\"with space\": 1\n'it''s': two\ngrüße: hallo\n\"a:b\": c\n123: d\n~/path: e\n"),
  ]

  private static let toml: [File] = [
    File(
      kind: "a terminal", format: "toml",
      text:
        "import = [\"~/.config/theme.toml\"]\n\n[window]\ndimensions.columns = 120\ndimensions.lines = 36\nopacity = 0.9\n\n[font]\nsize = 12.0\nnormal = { family = \"Mono\", style = 'Regular' }\n\n[[keyboard.bindings]]\nkey = \"N\"\nmods = \"Control|Shift\"\naction = \"CreateNewWindow\"\n"
    ),
    File(
      kind: "a prompt with texts of several lines", format: "toml",
      text:
        "# Get editor completions\n\"$schema\" = 'https://example.org/schema.json'\nformat = \"\"\"\n$directory\\\n$character\"\"\"\nadd_newline = false\n\n[character] # The name\nsuccess_symbol = '[➜](bold green)'\n\n[package]\ndisabled = true\n"
    ),
    File(
      kind: "an editor with tables within tables", format: "toml",
      text:
        "theme = \"onedark\"\n\n[editor]\nline-number = \"relative\"\nrulers = [80]\n\n[editor.cursor-shape]\ninsert = \"bar\"\n\n[keys.normal]\nC-s = \":w\"\n"
    ),
    File(
      kind: "a build with underscores and dates", format: "toml",
      text:
        "[build]\njobs = 1_000\ntarget-dir = \"/tmp/x\"\nmask = 0o755\n\n[env]\nSINCE = 2026-01-02\n[net]\nretry = 3\n"
    ),
    File(
      kind: "a project with arrays over lines", format: "toml",
      text:
        "[project]\nname = \"demo\"\ndependencies = [\n  \"a>=1\", # first\n  \"b\",\n]\n\n[tool.lint]\nline-length = 100\nselect = [\"E\", \"F\"]\n"
    ),
    File(
      kind: "a list of hosts", format: "toml",
      text:
        "# hosts\n[[host]]\nname = \"a\"\nport = 22\n\n[[host]]\nname = \"b\" # second\nport = 2222\n[host.extra]\nx = true\n"
    ),
  ]

  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  private static let lists: [File] = [
    File(
      kind: "a program with colours and dates", format: "plist",
      text: head
        + "<dict>\n\t<key>Ansi 0 Color</key>\n\t<dict>\n\t\t<key>Blue Component</key>\n\t\t<real>0.0</real>\n\t\t<key>Red Component</key>\n\t\t<real>0.10196078568696976</real>\n\t</dict>\n\t<key>SULastCheckTime</key>\n\t<date>2026-11-21T08:00:00Z</date>\n\t<key>Columns</key>\n\t<integer>80</integer>\n</dict>\n</plist>\n"
    ),
    File(
      kind: "a service", format: "plist",
      text: head
        + "<dict>\n    <key>Label</key>\n    <string>com.example.agent</string>\n    <!-- each hour -->\n    <key>StartInterval</key>\n    <integer>3600</integer>\n    <key>ProgramArguments</key>\n    <array>\n        <string>/bin/sh</string>\n        <string>-c</string>\n    </array>\n    <key>RunAtLoad</key>\n    <true/>\n</dict>\n</plist>\n"
    ),
    File(
      kind: "an archive of keyed objects", format: "plist",
      text: head
        + "<dict>\n\t<key>$archiver</key>\n\t<string>NSKeyedArchiver</string>\n\t<key>$top</key>\n\t<dict>\n\t\t<key>root</key>\n\t\t<dict>\n\t\t\t<key>CF$UID</key>\n\t\t\t<integer>1</integer>\n\t\t</dict>\n\t</dict>\n\t<key>$version</key>\n\t<integer>100000</integer>\n</dict>\n</plist>\n",
      leftOut: ["$top"]),
    File(
      kind: "texts with entities, and data", format: "plist",
      text: head
        + "<dict>\n\t<key>a &amp; b</key>\n\t<string>&lt;x&gt; &quot;y&quot; &#233;</string>\n\t<key>data</key>\n\t<data>\n\tAAEC\n\t</data>\n\t<key>empty</key>\n\t<string></string>\n\t<key>none</key>\n\t<array/>\n</dict>\n</plist>\n"
    ),
  ]

  private static let lines: [File] = [
    File(
      kind: "a desktop's keys", format: "dconf",
      text:
        "[org/example/desktop/interface]\nclock-format='24h'\ncolor-scheme='prefer-dark'\ntext-scaling-factor=1.25\n\n[org/example/terminal/profiles:/:b1dcc9dd]\npalette=['rgb(0,0,0)', 'rgb(205,0,0)']\nfont='Mono 11'\n\n[org/example/shell]\nenabled-extensions=@as []\nlast-selected=uint32 2\nwelcome=(true, 'x')\n"
    ),
    File(
      kind: "a desktop with nested groups", format: "ini",
      text:
        "[Containments][1]\nactivityId=\nformfactor=2\n\n[Containments][1][General]\nAppletOrder=3;4\n\n[KDE]\nSingleClick[$i]=false\n"
    ),
    File(
      kind: "a version control with tabs", format: "gitconfig",
      text:
        "# mine\n[user]\n\tname = Jo Field\n\temail = jo@example.org\n[alias]\n\tlg = log --graph --pretty='%h %s'\n\tco = checkout\n[remote \"origin\"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tfetch = +refs/pull/*:refs/pull/*\n[core]\n\tautocrlf = input ; note\n",
      leftOut: ["[remote \"origin\"]fetch"]),
    File(
      kind: "types of media", format: "desktop",
      text:
        "[Default Applications]\ntext/html=browser.desktop\nimage/png=viewer.desktop;other.desktop\n"
    ),
    File(
      kind: "an entry with names in languages", format: "desktop",
      text:
        "[Desktop Entry]\nName=Editor\nName[de]=Textbearbeitung\nExec=editor %F\nTerminal=false\nCategories=Utility;TextEditor;\n"
    ),
    File(
      kind: "a toolkit", format: "ini",
      text:
        "[Settings]\ngtk-theme-name=Adwaita\ngtk-font-name=Sans 10\ngtk-application-prefer-dark-theme=1\n"
    ),
    File(
      kind: "a server with flags", format: "cfg",
      text: "[mysqld]\nuser = mysql\nskip-networking\nmax_connections = 100 # many\n#port = 3306\n",
      leftOut: ["[mysqld]skip-networking"]),
    File(
      kind: "an editor's rules", format: "editorconfig",
      text:
        "root = true\n\n[*]\nindent_style = space\nindent_size = 2\n\n[*.{md,txt}]\ntrim_trailing_whitespace = false\n"
    ),
    File(
      kind: "a tool with lines that go on", format: "cfg",
      text:
        "[flake8]\nmax-line-length = 100\nexclude =\n    .git,\n    build\n\n[tool:pytest]\naddopts = -q\n",
      leftOut: ["[flake8]exclude"]),
    File(
      kind: "a program of Windows", format: "ini",
      text:
        "[General]\r\nGeometry=@ByteArray(\\x1\\xd9)\r\nLanguage=\"de_DE\"\r\n\r\n[Recent]\r\nsize=0\r\n"
    ),
    File(
      kind: "an environment", format: "env",
      text:
        "# App\nexport APP_NAME=\"My App\"\nAPP_DEBUG=true # only here\nAPP_URL=http://localhost:8000\nEMPTY=\nCOLOR=#fff\nMULTI=\"a\nb\"\nLAST='x'\n",
      leftOut: ["MULTI"]),
    File(
      kind: "a system's release", format: "env",
      text: "NAME=\"Example Linux\"\nVERSION_ID=\"12\"\nHOME_URL=\"https://example.org/\"\n"),
  ]
}
