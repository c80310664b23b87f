"""Names in TypeScript declarations, as far as they are about hooks: the fields of interfaces and object types, and enumerations."""
import collections
import re

Found = collections.namedtuple("Found", "events fields tools handlers")

HEAD = re.compile(r"(?:export )?(?:declare )?(interface|type|enum) (\w+)(?:<[^>{=]*>)?\s*(?:extends ([\w, <>'|]+?))?\s*(?:=\s*)?(?=[\w({'\[|])")
FIELD = re.compile(r"[{}()\[\]]|(?:(?<=[{;\n,])\s*)(?:readonly\s+)?[\"']?([A-Za-z_]\w*)[\"']?\??\s*:(?!:)")
LIST = re.compile(r"HOOK_EVENTS: readonly \[([^\]]*)\]|enum HookEventName \{([^}]*)\}")
SHAPE = re.compile(r"(\w+?)(?:Hook)?(Input|Output|SpecificOutput|HookInput|HookOutput)$")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def own_fields(body):
    """The fields of an object type at its first level."""
    found, depth = [], 0
    for m in FIELD.finditer(body):
        if m[0] in "{([":
            depth += 1
        elif m[0] in "})]":
            depth -= 1
        elif depth == 1:
            found.append(m[1])
    return found


def declarations(text):
    """name: (bases, fields, text) of every interface, object type and enumeration."""
    text, found = COMMENT.sub("", text), {}
    for m in HEAD.finditer(text):
        end, depth = m.end(), 0
        while end < len(text):
            depth += (text[end] in "{([") - (text[end] in "})]")
            if depth == 0 and (text[end] == ";" or text[end] == "}" and m[1] != "type"):
                break
            end += 1
        body = text[m.end():end + 1]
        bases = re.findall(r"\w+", m[3] or "") + [a or b for a, b in re.findall(r"\b([A-Z]\w+)\b(?=\s*\)?\s*&)|&\s*([A-Z]\w+)", body)]
        starts = [b.start() for b in re.finditer(r"\{", body) if body[:b.start()].count("{") == body[:b.start()].count("}")]
        found[m[2]] = bases, [f for at in starts for f in own_fields(body[at:])], body
    return found


def fields(types, name, seen=()):
    """The fields of a type with those of its bases."""
    if name not in types or name in seen:
        return []
    bases, own, _ = types[name]
    return sorted({*(f for b in bases for f in fields(types, b, seen + (name,))), *own})


def hooks(text, agent):
    """The events, with the fields of their payloads and answers, the tools, and the types of handlers that declarations name."""
    types = declarations(text)
    events = {name for m in LIST.finditer(text) for name in re.findall(r"['\"](\w+)['\"]", m[1] or m[2])}
    if agent in ("omp", "pi"):  # an extension's events are overloads of one function
        events |= set(re.findall(r"\bon\(event: \"(\w+)\"", text))
    shapes = []
    for name, (_, _, body) in types.items():
        shape = SHAPE.match(name)
        own = re.search(r"hook_?[eE]vent_?[nN]ame\??: ['\"](\w+)['\"]", body)
        event = own[1] if own else shape[1] if shape else ""
        if own and shape:
            events.add(event)
        if shape:
            shapes.append((event, "payload" if name.endswith("Input") else "answer", fields(types, name)))
    tools = [name for m in re.finditer(r"BUILTIN_TOOL_NAMES: readonly \[([^\]]*)\]", text) for name in re.findall(r"'([^']+)'", m[1])]
    kinds = re.findall(r"enum HookType \{([^}]*)\}", text)
    handlers = {w for body in kinds for w in re.findall(r"= [\"'](\w+)[\"']", body)} | set(re.findall(r"\btype: '(command|prompt|agent|http|mcp_tool)';\n", text))
    return Found(sorted(events), [s for s in shapes if s[0] in events], tools, sorted(handlers) if kinds or "command" in handlers else [])
