package bridge

// Each stage has methods of its own over what all of them share.
type (
	registration struct{ stage } // what the host's own configuration calls the bridge for
	selector     struct{ stage } // which hooks apply, and what they are shown
	viewer       struct{ stage } // the call as a hook in a view sees it
	copier       struct{ stage } // transcripts
	recaller     struct{ stage } // what earlier events of the session left
	facts        struct{ stage } // what a transcript adds to the call
	pinner       struct{ stage } // whether the hooks have changed
)

// A rememberer keeps what later events of the session need.
type rememberer struct {
	stage
	done
}
