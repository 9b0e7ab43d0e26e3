throw new Error("this program is never executed");
