//! A browser for tests of pages: headless Chromium, controlled over a pipe (the DevTools protocol:
//! JSON messages, each followed by a NUL).

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit for each action of a page.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
    session: Option<String>,
    last_id: u64,
    /// Errors that scripts of the page did not catch.
    pub exceptions: Vec<String>,
}

impl Browser {
    /// Starts the browser; `None` if there is none.
    pub fn start(profile: &Path) -> Option<Browser> {
        let path = std::env::var_os("PATH")?;
        std::env::split_paths(&path).find(|directory| directory.join("chromium").is_file())?;
        // The pipes are descriptors 3 and 4, which a shell makes of its input and output.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
            --no-first-run --window-size=1400,900 --user-data-dir=\"$0\" \
            --remote-debugging-pipe about:blank 3<&0 4>&1 0</dev/null 1>/dev/null 2>/dev/null";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .arg(profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let requests = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut browser =
            Browser { child, requests, answers, session: None, last_id: 0, exceptions: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        browser.call("Runtime.enable", json!({}));
        browser.call("DOM.enable", json!({}));
        Some(browser)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.last_id += 1;
        let mut request = json!({"id": self.last_id, "method": method, "params": params});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let mut bytes = request.to_string().into_bytes();
        bytes.push(0);
        self.requests.write_all(&bytes).unwrap();
        self.requests.flush().unwrap();
        loop {
            let mut message = Vec::new();
            self.answers.read_until(0, &mut message).unwrap();
            assert_eq!(message.pop(), Some(0), "the browser has ended");
            let message: Value = serde_json::from_slice(&message).unwrap();
            if message["method"] == "Runtime.exceptionThrown" {
                self.exceptions.push(message["params"]["exceptionDetails"].to_string());
            }
            if message["id"] == self.last_id {
                let error = &message["error"];
                // A request during navigation from one page to another reaches neither.
                let between = error["message"].as_str().is_some_and(|m| m.contains("context"));
                assert!(error.is_null() || between, "{method}: {error}");
                return message["result"].clone();
            }
        }
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", params);
        let exception = &answer["exceptionDetails"];
        assert!(exception.is_null(), "{expression}: {}", exception["exception"]["description"]);
        answer["result"]["value"].clone()
    }

    /// The text that an element shows.
    pub fn text(&mut self, selector: &str) -> String {
        let value = self.value(&format!("document.querySelector({selector:?})?.innerText"));
        value.as_str().unwrap_or_else(|| panic!("no {selector}")).to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        let start = Instant::now();
        while self.value(&format!("Boolean({expression})")) != true {
            assert!(start.elapsed() < PATIENCE, "not so: {expression}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a page and waits until it has its data.
    pub fn open(&mut self, page: &Path) {
        self.call("Page.enable", json!({}));
        self.call("Page.navigate", json!({"url": format!("file://{}", page.display())}));
        self.wait("location.protocol === 'file:' && document.documentElement?.dataset.ready");
    }

    /// Clicks into the middle of the element that an expression finds.
    pub fn click(&mut self, element: &str) {
        let place = format!(
            "(() => {{ const e = {element}; e.scrollIntoView({{block: 'center'}}); \
             const b = e.getBoundingClientRect(); \
             return [b.left + Math.min(b.width, 40) / 2, b.top + Math.min(b.height, 16) / 2]; }})()"
        );
        let place = self.value(&place);
        for kind in ["mousePressed", "mouseReleased"] {
            self.mouse(&json!({"type": kind, "x": place[0], "y": place[1], "clickCount": 1}));
        }
    }

    /// Sends a mouse event with the parameters of `Input.dispatchMouseEvent`, with the left button.
    pub fn mouse(&mut self, event: &Value) {
        let mut params = json!({"button": "left", "buttons": 1});
        params.as_object_mut().unwrap().extend(event.as_object().unwrap().clone());
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Sets the width of the page, and the preferred colour scheme, dark or light.
    pub fn look(&mut self, width: u32, scheme: &str) {
        let size = json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Presses a key on the focused element.
    pub fn press(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({"type": kind, "key": key}));
        }
    }

    /// Replaces the text in an element by typing.
    pub fn enter(&mut self, selector: &str, text: &str) {
        let clear = format!(
            "(e => {{ e.focus(); e.value = ''; e.dispatchEvent(new Event('input')); }})\
             (document.querySelector({selector:?})) ?? null"
        );
        self.value(&clear);
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Chooses a file in a file chooser.
    pub fn choose(&mut self, selector: &str, file: &Path) {
        let document = self.call("DOM.getDocument", json!({}));
        let query = json!({"nodeId": document["root"]["nodeId"], "selector": selector});
        let node = self.call("DOM.querySelector", query);
        self.call("DOM.setFileInputFiles", json!({"files": [file], "nodeId": node["nodeId"]}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
